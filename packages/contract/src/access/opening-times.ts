import type { Route, RouteHours } from '../relay-control.ts';

export type TimeDenial = 'not-open-yet' | 'closed' | 'outside-hours';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** Beijing keeps UTC+8 all year round. */
const BEIJING_OFFSET_MINUTES = 8 * 60;

/** Why a mapping is closed at this moment (wall clock) by its times; undefined when it is open. */
export function timeDenial(
  { opensAtMs, closesAtMs, hours }: Pick<Route, 'opensAtMs' | 'closesAtMs' | 'hours'>,
  wallClockMs: number,
): TimeDenial | undefined {
  if (opensAtMs !== null && wallClockMs < opensAtMs) return 'not-open-yet';
  if (closesAtMs !== null && wallClockMs >= closesAtMs) return 'closed';
  return hours === null || isWithin(hours, wallClockMs) ? undefined : 'outside-hours';
}

/** Includes the first minute, and excludes the last. */
function isWithin({ days, fromMinute, toMinute }: RouteHours, wallClockMs: number): boolean {
  const minutes = Math.floor(wallClockMs / MINUTE_MS) + BEIJING_OFFSET_MINUTES;
  const minute = minutes % DAY_MINUTES;
  const today = Math.floor(minutes / DAY_MINUTES);
  if (fromMinute < toMinute) return minute >= fromMinute && minute < toMinute && days.includes(weekday(today));
  // Past midnight: the evening belongs to the window that begins today, the morning to yesterday's.
  if (minute >= fromMinute) return days.includes(weekday(today));
  return minute < toMinute && days.includes(weekday(today - 1));
}

/** The weekday (1 Monday … 7 Sunday) of a day counted from 1970-01-01, which was a Thursday. */
function weekday(day: number): number {
  return ((day + 3) % 7) + 1;
}
