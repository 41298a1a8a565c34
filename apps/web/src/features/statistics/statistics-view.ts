import { statisticsText } from '../../text/statistics.ts';

export const units = ['live', 'hour', 'day', 'month'] as const;
export type ViewUnit = (typeof units)[number];
export type PeriodUnit = Exclude<ViewUnit, 'live'>;

/** Whose statistics: of the account, of a device or of a mapping. */
export type Scope = { router: number | undefined; mapping: number | undefined };
/** `until` is a time in the last point; undefined: the present one. */
export type StatisticsView = Scope & { unit: ViewUnit; points: number; until: string | undefined };

/** The numbers of hours, days or months that can be chosen; the first of each unit that is named here is its default. */
const defaults: Record<PeriodUnit, number> = { hour: 24, day: 30, month: 12 };

export function rangesOf(unit: PeriodUnit): { value: number; label: string }[] {
  return Object.entries(statisticsText.ranges[unit]).map(([points, label]) => ({ value: Number(points), label }));
}

export function defaultPoints(unit: ViewUnit): number {
  return unit === 'live' ? 0 : defaults[unit];
}

function readTime(text: string | null): string | undefined {
  const atMs = Date.parse(text ?? '');
  return Number.isNaN(atMs) || atMs > Date.now() ? undefined : new Date(atMs).toISOString();
}

function readId(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** Reads the view of an address. Invalid values are ignored, because people edit addresses. */
export function readView(query: URLSearchParams): StatisticsView {
  const unit = units.find((each) => each === query.get('unit')) ?? 'hour';
  const points = readId(query.get('points'));
  const isOffered = unit !== 'live' && rangesOf(unit).some(({ value }) => value === points);
  return {
    unit,
    points: isOffered && points !== undefined ? points : defaultPoints(unit),
    until: unit === 'live' ? undefined : readTime(query.get('until')),
    router: readId(query.get('device')),
    mapping: readId(query.get('mapping')),
  };
}

/** Writes the view to an address, without defaults. */
export function writeView({ unit, points, until, router, mapping }: StatisticsView): URLSearchParams {
  const query = new URLSearchParams();
  if (unit !== 'hour') query.set('unit', unit);
  if (points !== defaultPoints(unit)) query.set('points', String(points));
  if (until !== undefined) query.set('until', until);
  if (router !== undefined) query.set('device', String(router));
  if (mapping !== undefined) query.set('mapping', String(mapping));
  return query;
}

/** The part of the calls' query that says whose statistics they are. */
export function scopeQuery({ router, mapping }: Scope) {
  return { ...(router !== undefined && { router }), ...(mapping !== undefined && { mapping }) };
}
