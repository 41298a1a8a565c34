import type { MappingHours, Route } from '@tongtu/contract';
import type { MappingRow } from './mapping-store.ts';

type HoursColumns = Pick<MappingRow, 'hoursDays' | 'hoursFrom' | 'hoursTo'>;

/** Converts clock times to minutes of the day. Null means at any time. */
export function hoursColumns(hours: MappingHours | null): HoursColumns {
  if (hours === null) return { hoursDays: null, hoursFrom: null, hoursTo: null };
  const days = hours.days.toSorted((a, b) => a - b);
  return { hoursDays: days, hoursFrom: minutesOf(hours.from), hoursTo: minutesOf(hours.to) };
}

/** The inverse of hoursColumns. */
export function formatHours({ hoursDays, hoursFrom, hoursTo }: HoursColumns): MappingHours | null {
  if (hoursDays === null || hoursFrom === null || hoursTo === null) return null;
  return { days: hoursDays, from: clockOf(hoursFrom), to: clockOf(hoursTo) };
}

/** The opening times of a mapping in the form for relays and `closedBecause`. */
export function openingTimes(
  times: HoursColumns & Pick<MappingRow, 'opensAt' | 'closesAt'>,
): Pick<Route, 'opensAtMs' | 'closesAtMs' | 'hours'> {
  const { opensAt, closesAt, hoursDays: days, hoursFrom: fromMinute, hoursTo: toMinute } = times;
  return {
    opensAtMs: opensAt?.getTime() ?? null,
    closesAtMs: closesAt?.getTime() ?? null,
    hours: days === null || fromMinute === null || toMinute === null ? null : { days, fromMinute, toMinute },
  };
}

function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

function clockOf(minutes: number): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}
