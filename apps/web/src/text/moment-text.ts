const twoDigits = (part: number) => String(part).padStart(2, '0');

/** `11-23 16:43` of the browser's clock, with the year when it is not the current one. */
export function momentText(at: string): string {
  const time = new Date(at);
  const day = `${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;
  const clock = `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
  const isThisYear = time.getFullYear() === new Date().getFullYear();
  return `${isThisYear ? '' : `${time.getFullYear()}-`}${day} ${clock}`;
}
