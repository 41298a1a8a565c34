import { expect, test } from 'vitest';
import { timeDenial } from './opening-times.ts';

/** 2026-11-16 is a Monday. */
function beijing(text: string): number {
  return Date.parse(`${text}+08:00`);
}

const always = { opensAtMs: null, closesAtMs: null, hours: null };

test('a mapping without times is always open', () => {
  expect(timeDenial(always, beijing('2026-11-16T03:00'))).toBeUndefined();
});

test('a mapping opens at its first moment and is closed from its last one on', () => {
  const route = { ...always, opensAtMs: beijing('2026-11-16T08:00'), closesAtMs: beijing('2026-11-17T08:00') };
  expect(timeDenial(route, route.opensAtMs - 1)).toBe('not-open-yet');
  expect(timeDenial(route, route.opensAtMs)).toBeUndefined();
  expect(timeDenial(route, route.closesAtMs - 1)).toBeUndefined();
  expect(timeDenial(route, route.closesAtMs)).toBe('closed');
});

test.each([
  ['2026-11-16T08:29:59', 'outside-hours'],
  ['2026-11-16T08:30', undefined],
  ['2026-11-16T17:59:59', undefined],
  ['2026-11-16T18:00', 'outside-hours'],
  ['2026-11-20T12:00', undefined],
  ['2026-11-21T12:00', 'outside-hours'],
  ['2026-11-22T12:00', 'outside-hours'],
])('office hours, Monday to Friday 08:30 to 18:00: at %s it is %s', (at, denial) => {
  const hours = { days: [1, 2, 3, 4, 5], fromMinute: 510, toMinute: 1080 };
  expect(timeDenial({ ...always, hours }, beijing(at))).toBe(denial);
});

test.each([
  ['2026-11-20T21:59', 'outside-hours'],
  ['2026-11-20T22:00', undefined],
  ['2026-11-21T00:00', undefined],
  ['2026-11-21T05:59', undefined],
  ['2026-11-21T06:00', 'outside-hours'],
  ['2026-11-21T22:00', 'outside-hours'],
  ['2026-11-20T05:00', 'outside-hours'],
])('hours past midnight belong to the day on which they begin, Friday 22:00 to 06:00: at %s it is %s', (at, denial) => {
  const hours = { days: [5], fromMinute: 1320, toMinute: 360 };
  expect(timeDenial({ ...always, hours }, beijing(at))).toBe(denial);
});

test('the night from Sunday to Monday is a Sunday night', () => {
  const hours = { days: [7], fromMinute: 1380, toMinute: 60 };
  expect(timeDenial({ ...always, hours }, beijing('2026-11-22T23:30'))).toBeUndefined();
  expect(timeDenial({ ...always, hours }, beijing('2026-11-23T00:30'))).toBeUndefined();
  expect(timeDenial({ ...always, hours }, beijing('2026-11-22T00:30'))).toBe('outside-hours');
});

test('a day that ends at 24:00 is open to its last minute', () => {
  const hours = { days: [1], fromMinute: 0, toMinute: 1440 };
  expect(timeDenial({ ...always, hours }, beijing('2026-11-16T00:00'))).toBeUndefined();
  expect(timeDenial({ ...always, hours }, beijing('2026-11-16T23:59:59'))).toBeUndefined();
  expect(timeDenial({ ...always, hours }, beijing('2026-11-17T00:00'))).toBe('outside-hours');
});

test('dates and hours must both allow a moment', () => {
  const hours = { days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 480, toMinute: 1200 };
  const route = { opensAtMs: beijing('2026-11-16T00:00'), closesAtMs: beijing('2026-11-18T00:00'), hours };
  expect(timeDenial(route, beijing('2026-11-15T12:00'))).toBe('not-open-yet');
  expect(timeDenial(route, beijing('2026-11-16T07:00'))).toBe('outside-hours');
  expect(timeDenial(route, beijing('2026-11-16T09:00'))).toBeUndefined();
  expect(timeDenial(route, beijing('2026-11-18T09:00'))).toBe('closed');
});
