const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

const beijing = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** `2026-11-21 16:03（北京时间）` */
export function beijingTime(at: string): string {
  return `${beijing.format(new Date(at))}（北京时间）`;
}

/** `3 小时 5 分钟`: the two largest units that are not zero; at least one minute. */
export function durationBetween(from: string, to: string): string {
  const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / MINUTE_MS));
  if (minutes < HOUR_MINUTES) return `${minutes} 分钟`;
  if (minutes < DAY_MINUTES) return join(Math.floor(minutes / HOUR_MINUTES), '小时', minutes % HOUR_MINUTES, '分钟');
  const hours = Math.floor((minutes % DAY_MINUTES) / HOUR_MINUTES);
  return join(Math.floor(minutes / DAY_MINUTES), '天', hours, '小时');
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
