const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
const step = 1024;

/** `1.2 GB`: at most three digits, so that amounts can be compared at a glance. */
export function bytesText(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  // 999.5 would be rounded to 1000.
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= step;
    unit++;
  }
  const digits = unit === 0 || amount >= 99.95 ? 0 : 1;
  return `${amount.toFixed(digits)} ${units[unit]}`;
}

const counts = new Intl.NumberFormat('zh-CN', { notation: 'compact', maximumFractionDigits: 1 });

/** Below ten thousand the number itself, from there on in 万. */
export function countText(count: number): string {
  return count < 10_000 ? String(count) : counts.format(count);
}
