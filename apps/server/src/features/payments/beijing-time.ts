const OFFSET_MS = 8 * 3_600_000; // China has one time zone and no summer time

/** `2026-11-24 09:30:00`, the way Alipay writes times. */
export function beijingText(date: Date): string {
  return new Date(date.getTime() + OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
}

/** Undefined when the text is not such a time. */
export function parseBeijingText(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined;
  const date = new Date(`${text.replace(' ', 'T')}+08:00`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** `2026-11-24T09:30:00+08:00`, the way WeChat Pay writes times. */
export function beijingIsoText(date: Date): string {
  return `${beijingText(date).replace(' ', 'T')}+08:00`;
}
