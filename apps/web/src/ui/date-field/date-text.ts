/** A day, a time of a day, or both: how each is typed and shown, whatever the language of the browser. */
export type DateKind = 'date' | 'datetime' | 'time';

export const dateFormats = {
  date: 'YYYY-MM-DD',
  datetime: 'YYYY-MM-DD HH:mm',
  time: 'HH:mm',
} as const satisfies Record<DateKind, string>;

/** One of each, to show how it is typed. */
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
/** The day of a bare time: one on which no clock is put forward or back. */
const anyDay = { year: '2000', month: '1', date: '1' };
/** The time of a bare day: where clocks are put forward at midnight, a day has none in spring. */
const noon = { hour: '12', minute: '0' };

export type ReadDate =
  | { type: 'read'; date: Date }
  /** Written as a date, but on no calendar or clock: 30 February, a quarter past 25. */
  | { type: 'none' }
  | { type: 'unreadable' };

/** Reads what a person typed, by the clock of the place: with full-width digits, slashes or 年月日 as well. */
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

/** As it is written here where it can be read; else as it was typed. */
export function tidyDate(kind: DateKind, text: string): string {
  const read = readDate(kind, text);
  return read.type === 'read' ? writeDate(kind, read.date) : text.trim();
}

function partsOf(date: Date): [number, number, number, number, number] {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()];
}

function pad(part: number, length = 2): string {
  return String(part).padStart(length, '0');
}
