/** A line of the log, with the time on this device's clock in front: `2026-11-22 21:40:03 已上线`. */
export function logLine(text: string, at: Date): string {
  return `${formatDate(at)} ${formatTime(at)} ${text}\n`;
}

function formatDate(at: Date): string {
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
}

function formatTime(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
