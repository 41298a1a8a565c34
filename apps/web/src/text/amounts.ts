const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
const step = 1024;

/** `1.2 GB`: three digits at most, so that amounts can be compared at a glance. */
export function bytesText(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  // 999.5 would be shown as 1000.
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= step;
    unit++;
  }
  const digits = unit === 0 || amount >= 99.95 ? 0 : 1;
  return `${amount.toFixed(digits)} ${units[unit]}`;
}

const counts = new Intl.NumberFormat('zh-CN', { notation: 'compact', maximumFractionDigits: 1 });

/** `1234` stays as it is, from ten thousand on it is told in 万. */
export function countText(count: number): string {
  return count < 10_000 ? String(count) : counts.format(count);
}
