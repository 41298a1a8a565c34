import { expect, test } from 'vitest';
import { closingOf, dateOfClosing, dateOfOpening, describeOpening, openingOf, openingState } from './opening-times.ts';

const always = { opens_at: null, closes_at: null, hours: null };

test('dates are days in Beijing, from first to last moment, whatever the browser’s time zone', () => {
  expect([openingOf('2026-12-01'), closingOf('2026-12-31')]).toEqual([
    '2026-11-30T16:00:00.000Z',
    '2026-12-31T16:00:00.000Z',
  ]);
  expect(dateOfOpening(openingOf('2026-12-01'))).toBe('2026-12-01');
  expect(dateOfClosing(closingOf('2026-12-31'))).toBe('2026-12-31');
  expect([dateOfOpening('2026-12-01T15:59:00Z'), dateOfClosing('2026-12-01T16:30:00Z')]).toEqual([
    '2026-12-01',
    '2026-12-02',
  ]);
});

test.each([
  [always, undefined],
  [{ ...always, closes_at: '2026-12-31T16:00:00.000Z' }, '开放至 2026-12-31'],
  [{ ...always, opens_at: '2026-11-30T16:00:00.000Z' }, '2026-12-01 起开放'],
  [{ ...always, hours: { days: [1, 2, 3, 4, 5], from: '08:00', to: '22:00' } }, '周一至周五 08:00–22:00'],
  [{ ...always, hours: { days: [7, 6, 2], from: '22:00', to: '06:00' } }, '周二、周六至周日 22:00–次日 06:00'],
  [
    {
      opens_at: '2026-11-30T16:00:00.000Z',
      closes_at: '2026-12-31T16:00:00.000Z',
      hours: { days: [1, 2, 3, 4, 5, 6, 7], from: '18:30', to: '24:00' },
    },
    '2026-12-01 至 2026-12-31 开放，每天 18:30–24:00',
  ],
])('the times of %j are written as %s', (times, text) => {
  expect(describeOpening(times)).toBe(text);
});

test('a mapping opens and closes at the exact moment', () => {
  const times = { ...always, opens_at: openingOf('2026-12-01'), closes_at: closingOf('2026-12-01') };
  const [opensMs, closesMs] = [Date.parse(times.opens_at), Date.parse(times.closes_at)];
  const states = [opensMs - 1, opensMs, closesMs - 1, closesMs].map((wallClockMs) => openingState(times, wallClockMs));
  expect(states).toEqual(['not-yet', 'open', 'open', 'over']);
  expect(openingState(always, 0)).toBe('open');
});
