import type { UsageUnit } from './usage-time-store.ts';

/** `from` and `to` are begins of the unit in Beijing, and `previousFrom` that of the period before. */
export type Period = { unit: UsageUnit; previousFrom: Date; from: Date; to: Date };

/** Up to where hours were added up to days, and days to months. */
export type Progress = { day: Date; month: Date };

/** A part of a time that rows of the unit make up. */
export type Span = { unit: UsageUnit; from: Date; to: Date };

const HOUR_MS = 3_600_000;
/** Beijing has no summer time, so its days have 24 hours. */
const BEIJING_MS = 8 * HOUR_MS;
const unitMs = { hour: HOUR_MS, day: 24 * HOUR_MS };

/** The begin of the hour, day or month in Beijing that is so many after that of `at`. */
export function beginOf(unit: UsageUnit, at: Date, { plus = 0 }: { plus?: number } = {}): Date {
  const local = new Date(at.getTime() + BEIJING_MS);
  if (unit === 'month') return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + plus) - BEIJING_MS);
  return new Date((Math.floor(local.getTime() / unitMs[unit]) + plus) * unitMs[unit] - BEIJING_MS);
}

/** The last `points` hours, days or months, the one of `at` included. */
export function periodUntil(at: Date, { unit, points }: { unit: UsageUnit; points: number }): Period {
  return {
    unit,
    previousFrom: beginOf(unit, at, { plus: 1 - 2 * points }),
    from: beginOf(unit, at, { plus: 1 - points }),
    to: beginOf(unit, at, { plus: 1 }),
  };
}

/** Hours are kept for 90 days: the begin of a day so many days ago has them all. */
const DAYS_WITH_HOURS = 89;

/**
 * The time before a period to compare it with. If the period is running, it ends as far into its own last point: at the same
 * hour of its last day, or on the same day of its last month, as finely as usage is kept. Undefined if usage of that time
 * is not kept any more.
 */
export function timeBefore({ unit, previousFrom, from, to }: Period, now: Date): { from: Date; to: Date } | undefined {
  if (previousFrom < keptFrom(unit, now)) return undefined;
  const end = now < to ? sameTimeBefore({ unit, previousFrom, from }, now) : from;
  return { from: previousFrom, to: end < from ? end : from };
}

function sameTimeBefore({ unit, previousFrom, from }: Omit<Period, 'to'>, now: Date): Date {
  if (unit === 'hour') return from;
  if (unit === 'month') {
    const elapsedMs = beginOf('day', now, { plus: 1 }).getTime() - beginOf('month', now).getTime();
    return new Date(beginOf('month', from, { plus: -1 }).getTime() + elapsedMs);
  }
  const lengthMs = from.getTime() - previousFrom.getTime();
  if (lengthMs > DAYS_WITH_HOURS * unitMs.day) return from;
  return new Date(beginOf('hour', now, { plus: 1 }).getTime() - lengthMs);
}

function keptFrom(unit: UsageUnit, now: Date): Date {
  if (unit === 'hour') return new Date(now.getTime() - 90 * unitMs.day);
  const date = new Date(now);
  date.setUTCFullYear(date.getUTCFullYear() - 2);
  return date;
}

/** The begins of all points of a period. */
export function pointsOf({ unit, from, to }: Period): Date[] {
  const points: Date[] = [];
  for (let at = from; at < to; at = beginOf(unit, at, { plus: 1 })) points.push(at);
  return points;
}

const unitAbove = { hour: undefined, day: 'hour', month: 'day' } as const satisfies Record<
  UsageUnit,
  UsageUnit | undefined
>;

/** The fewest rows with the usage of a time: of finished units up to `coarsest`, and of finer ones at both ends. */
export function spansOf(time: { from: Date; to: Date }, coarsest: UsageUnit, done: Progress): Span[] {
  const { from, to } = time;
  if (from >= to) return [];
  const finer = unitAbove[coarsest];
  if (coarsest === 'hour' || finer === undefined) return [{ unit: 'hour', from, to }];
  const begin = beginOf(coarsest, from);
  const first = begin < from ? beginOf(coarsest, from, { plus: 1 }) : from;
  const last = new Date(Math.min(beginOf(coarsest, to).getTime(), done[coarsest].getTime()));
  if (first >= last) return spansOf(time, finer, done);
  return [
    ...spansOf({ from, to: first }, finer, done),
    { unit: coarsest, from: first, to: last },
    ...spansOf({ from: last, to }, finer, done),
  ];
}
