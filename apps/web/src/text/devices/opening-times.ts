import type { Mapping, MappingHours } from '@tongtu/contract';
import { openingText } from './mappings.ts';

/** Beijing has kept UTC+8 without summer time since 1991. */
const beijingOffsetMs = 8 * 3_600_000;
const dayMs = 24 * 3_600_000;
const dayNumbers = [1, 2, 3, 4, 5, 6, 7];

function beijingDate(timeMs: number): string {
  return new Date(timeMs + beijingOffsetMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The day in Beijing on which a mapping opens. */
export function dateOfOpening(opensAt: string): string {
  return beijingDate(Date.parse(opensAt));
}

/** The last day in Beijing on which a mapping is open. One that closes at midnight closes with the previous day. */
export function dateOfClosing(closesAt: string): string {
  return beijingDate(Date.parse(closesAt) - 1);
}

/** The first moment of a day in Beijing. */
export function openingOf(date: string): string {
  return new Date(`${date}T00:00:00+08:00`).toISOString();
}

/** The last moment of a day in Beijing. */
export function closingOf(date: string): string {
  return new Date(Date.parse(openingOf(date)) + dayMs).toISOString();
}

/** Writes consecutive days as a span: 周一至周五、周日. */
function describeDays(days: readonly number[]): string {
  const spans: { first: number; last: number }[] = [];
  for (const day of dayNumbers.filter((each) => days.includes(each))) {
    const span = spans.at(-1);
    if (span?.last === day - 1) span.last = day;
    else spans.push({ first: day, last: day });
  }
  if (spans[0]?.first === 1 && spans[0].last === 7) return openingText.everyDay;
  return spans.map(({ first, last }) => openingText.days(first, last)).join(openingText.and);
}

function describeHours({ days, from, to }: MappingHours): string {
  // Midnight at the end of a day belongs to that day.
  const end = to === '00:00' ? '24:00' : to;
  return openingText.hours(describeDays(days), from, end < from ? openingText.nextDay(end) : end);
}

type OpeningTimes = Pick<Mapping, 'opens_at' | 'closes_at' | 'hours'>;

/** When visitors may come, in Beijing time; undefined for always. */
export function describeOpening({ opens_at: opensAt, closes_at: closesAt, hours }: OpeningTimes): string | undefined {
  const dates = openingText.dates(
    opensAt === null ? undefined : dateOfOpening(opensAt),
    closesAt === null ? undefined : dateOfClosing(closesAt),
  );
  const parts = [dates, hours === null ? '' : describeHours(hours)].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(openingText.comma);
}

const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** The opening times in numbers, as the contract judges them. */
export function openingTimesOf({ opens_at: opensAt, closes_at: closesAt, hours }: OpeningTimes) {
  return {
    opensAtMs: opensAt === null ? null : Date.parse(opensAt),
    closesAtMs: closesAt === null ? null : Date.parse(closesAt),
    hours: hours && { days: hours.days, fromMinute: minuteOf(hours.from), toMinute: minuteOf(hours.to) },
  };
}

/** Compares the two dates with the clock. The hours of the day are left to the text of the times. */
export function openingState(times: OpeningTimes, wallClockMs: number): 'not-yet' | 'over' | 'open' {
  if (times.closes_at !== null && Date.parse(times.closes_at) <= wallClockMs) return 'over';
  return times.opens_at !== null && Date.parse(times.opens_at) > wallClockMs ? 'not-yet' : 'open';
}
