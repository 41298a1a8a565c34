/** How a day, a time, or both are typed and shown, whatever the browser's language. */
export type DateKind = 'date' | 'datetime' | 'time';

export const dateFormats = {
  date: 'YYYY-MM-DD',
  datetime: 'YYYY-MM-DD HH:mm',
  time: 'HH:mm',
} as const satisfies Record<DateKind, string>;

/** Examples that show the format. */
export const dateExamples = {
  date: '2026-12-01',
  datetime: '2026-12-01 18:00',
  time: '18:00',
} as const satisfies Record<DateKind, string>;

const day = String.raw`(?<year>\d{4})\s*[-/.年]\s*(?<month>\d{1,2})\s*[-/.月]\s*(?<date>\d{1,2})\s*日?`;
const clock = String.raw`(?<hour>\d{1,2})\s*[:点时]\s*(?<minute>\d{1,2})\s*分?`;
const patterns: Record<DateKind, RegExp> = {
  date: new RegExp(`^${day}$`),
  datetime: new RegExp(`^${day}(?:[\\sT]\\s*|(?<=日))${clock}$`),
  time: new RegExp(`^${clock}$`),
};
/** The day of a bare time: no clock changes on it. */
const anyDay = { year: '2000', month: '1', date: '1' };
/** The time of a bare day: where clocks change at midnight, one midnight in spring does not exist. */
const noon = { hour: '12', minute: '0' };

export type ReadDate =
  | { type: 'read'; date: Date }
  /** A date in the right format that does not exist, such as 30 February or 25:15. */
  | { type: 'none' }
  | { type: 'unreadable' };

/** Parses a typed text in the local time zone. Full-width digits, slashes and 年月日 are allowed. */
export function readDate(kind: DateKind, text: string): ReadDate {
  const groups = patterns[kind].exec(text.normalize('NFKC').trim())?.groups;
  if (!groups) return { type: 'unreadable' };
  const { year, month, date, hour, minute } = { ...anyDay, ...noon, ...groups };
  const parts = [year, month, date, hour, minute].map(Number) as [number, number, number, number, number]; // digits by the pattern
  const read = new Date(parts[0], parts[1] - 1, parts[2], parts[3], parts[4]);
  const isSame = partsOf(read).every((part, index) => part === parts[index]);
  return isSame ? { type: 'read', date: read } : { type: 'none' };
}

export function writeDate(kind: DateKind, date: Date): string {
  const [year, month, dayOfMonth, hour, minute] = partsOf(date);
  const days = `${pad(year, 4)}-${pad(month)}-${pad(dayOfMonth)}`;
  const clocks = `${pad(hour)}:${pad(minute)}`;
  switch (kind) {
    case 'date':
      return days;
    case 'time':
      return clocks;
    case 'datetime':
      return `${days} ${clocks}`;
  }
}

/** The text of a field with a day and a time; empty without a moment. */
export function writeMoment(at: string | null): string {
  return at === null ? '' : writeDate('datetime', new Date(at));
}

/** The moment of such a field; null when it is empty. */
export function readMoment(text: string): string | null {
  if (text === '') return null;
  const read = readDate('datetime', text);
  // The form has validated the text. An unreadable one must not be sent as "at once" or "for ever".
  if (read.type !== 'read') throw new Error(`no time: ${text}`);
  return read.date.toISOString();
}

/** The text in the standard format if it can be parsed, else as it was typed. */
export function normalizeDate(kind: DateKind, text: string): string {
  const read = readDate(kind, text);
  return read.type === 'read' ? writeDate(kind, read.date) : text.trim();
}

function partsOf(date: Date): [number, number, number, number, number] {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()];
}

function pad(part: number, length = 2): string {
  return String(part).padStart(length, '0');
}
