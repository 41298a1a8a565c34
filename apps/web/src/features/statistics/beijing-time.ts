import type { PeriodUnit } from './statistics-view.ts';

const beijingMs = 8 * 3_600_000;
const dayS = 86_400;

/** `2026-11-24T20:05:22` in Beijing, whose days and months the statistics have. */
function beijingText(atMs: number): string {
  return new Date(atMs + beijingMs).toISOString();
}

export function clockText(atMs: number): string {
  return beijingText(atMs).slice(11, 19);
}

export function dayOf(atMs: number): string {
  return beijingText(atMs).slice(0, 10);
}

/** The name of an hour, a day or a month. */
export function pointText(unit: PeriodUnit, atMs: number): string {
  const text = beijingText(atMs);
  if (unit === 'month') return text.slice(0, 7);
  return unit === 'day' ? text.slice(0, 10) : text.slice(5, 16).replace('T', ' ');
}

/** The words below an axis, whose marks have the distance `stepS`. */
export function axisText(atS: number, stepS: number): string {
  const text = beijingText(atS * 1_000);
  if (stepS >= 28 * dayS) return text.slice(0, 7);
  if (stepS >= dayS) return text.slice(5, 10);
  const isMidnight = text.slice(11, 19) === '00:00:00';
  if (isMidnight && stepS >= 3_600) return text.slice(5, 10);
  return stepS < 60 ? text.slice(11, 19) : text.slice(11, 16);
}
