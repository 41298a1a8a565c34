import { expect, test } from 'vitest';
import { beginOf, periodUntil, pointsOf, spansOf, timeBefore } from './period.ts';

const at = (text: string) => new Date(`${text}+08:00`);
const textOf = (time: Date) => new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 16);

test.each([
  ['hour', 24, ['2026-02-28T02:00', '2026-03-01T02:00', '2026-03-02T02:00']],
  ['day', 7, ['2026-02-17T00:00', '2026-02-24T00:00', '2026-03-03T00:00']],
  ['month', 12, ['2024-04-01T00:00', '2025-04-01T00:00', '2026-04-01T00:00']],
] as const)('the last %ss of Beijing, with as many before them', (unit, points, times) => {
  const period = periodUntil(at('2026-03-02T01:30'), { unit, points });
  expect([period.previousFrom, period.from, period.to].map(textOf)).toEqual(times);
  expect(pointsOf(period)).toHaveLength(points);
});

test.each([
  ['hours', 'hour', 24, '2026-03-02T01:30', ['2026-02-28T02:00', '2026-03-01T02:00']],
  ['days up to the same hour', 'day', 7, '2026-03-02T01:30', ['2026-02-17T00:00', '2026-02-23T02:00']],
  ['the last hour of today', 'day', 7, '2026-03-02T23:30', ['2026-02-17T00:00', '2026-02-24T00:00']],
  ['days of which hours are kept', 'day', 89, '2026-03-02T01:30', ['2025-09-06T00:00', '2025-12-03T02:00']],
  ['days whose hours are deleted', 'day', 90, '2026-03-02T01:30', ['2025-09-04T00:00', '2025-12-03T00:00']],
  ['months up to the same day', 'month', 12, '2026-03-02T01:30', ['2024-04-01T00:00', '2025-03-03T00:00']],
  ['a longer month than the one before', 'month', 1, '2026-03-31T01:30', ['2026-02-01T00:00', '2026-03-01T00:00']],
  ['a leap year', 'month', 12, '2026-01-31T12:00', ['2024-02-01T00:00', '2025-02-01T00:00']],
  ['a year of days', 'day', 365, '2026-03-02T01:30', ['2024-03-03T00:00', '2025-03-03T00:00']],
] as const)('a running period is compared with as much of the one before: %s', (_, unit, points, now, times) => {
  const before = timeBefore(periodUntil(at(now), { unit, points }), at(now));
  expect([before?.from, before?.to].map((time) => time && textOf(time))).toEqual(times);
});

test('a period that is over is compared with the whole one before', () => {
  const period = periodUntil(at('2026-03-02T01:30'), { unit: 'day', points: 7 });
  expect(timeBefore(period, period.to)).toEqual({ from: period.previousFrom, to: period.from });
});

test.each([
  ['day', 731],
  ['month', 24],
  ['hour', 168],
] as const)('what is not kept any more is not compared: %s', (unit, points) => {
  const now = at('2026-03-02T01:30');
  const shown = unit === 'hour' ? new Date(now.getTime() - 80 * 86_400_000) : now;
  expect(timeBefore(periodUntil(shown, { unit, points }), now)).toBeUndefined();
});

const done = { day: at('2026-03-02T00:00'), month: at('2026-03-01T00:00') };

/** Whatever rows are read, they lie side by side and cover the time. */
test.each([
  ['two months and a half', '2025-12-15T00:00', '2026-03-03T00:00', 'day 12-15, month 01-01, day 03-01, hour 03-02'],
  ['hours of three days', '2026-02-27T05:00', '2026-03-02T05:00', 'hour 02-27, day 02-28, hour 03-02'],
  ['hours of today', '2026-03-02T03:00', '2026-03-02T05:00', 'hour 03-02'],
  ['hours around midnight', '2026-02-10T22:00', '2026-02-11T03:00', 'hour 02-10'],
  ['exactly a month', '2026-02-01T00:00', '2026-03-01T00:00', 'month 02-01'],
  ['a month that is not finished', '2026-03-01T00:00', '2026-04-01T00:00', 'day 03-01, hour 03-02'],
  ['nothing', '2026-03-01T00:00', '2026-03-01T00:00', ''],
])('%s', (_, from, to, expected) => {
  const spans = spansOf({ from: at(from), to: at(to) }, 'month', done);
  expect(spans.map((span) => `${span.unit} ${textOf(span.from).slice(5, 10)}`).join(', ')).toBe(expected);
  const ends = spans.flatMap((span) => [span.from.getTime(), span.to.getTime()]);
  expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  if (spans.length > 0) expect([ends[0], ends.at(-1)]).toEqual([at(from).getTime(), at(to).getTime()]);
  for (const [index, span] of spans.entries()) if (index > 0) expect(span.from).toEqual(spans[index - 1]?.to);
});

test('a month begins at midnight in Beijing', () => {
  expect(beginOf('month', new Date('2026-02-28T16:00:00Z'))).toEqual(new Date('2026-02-28T16:00:00Z'));
});
