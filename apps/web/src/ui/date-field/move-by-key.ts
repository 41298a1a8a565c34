import dayjs from 'dayjs';
import { type DateKind, readDate, writeDate } from './date-text.ts';

/** Steps of the minutes that a clock offers. */
export const minuteStep = 5;

const movingKeys = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown']);

/**
 * The text after an arrow or page key in an open calendar, or beside the open columns of a clock; undefined when the key
 * does not move it.
 */
export function moveByKey(kind: DateKind, text: string, key: string): string | undefined {
  if (!movingKeys.has(key)) return undefined;
  const read = readDate(kind, text);
  if (read.type !== 'read')
    return key.startsWith('Arrow') ? writeDate(kind, dayjs().startOf('day').toDate()) : undefined;
  const date = dayjs(read.date);
  const forward = key.endsWith('Down') ? 1 : -1;
  const later = (amount: number, unit: 'minute' | 'day' | 'month') =>
    writeDate(kind, date.add(forward * amount, unit).toDate());
  if (key.startsWith('Arrow')) return kind === 'time' ? later(minuteStep, 'minute') : later(1, 'day');
  return kind === 'time' ? later(60, 'minute') : later(1, 'month');
}
