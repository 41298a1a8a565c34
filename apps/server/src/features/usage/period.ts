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
