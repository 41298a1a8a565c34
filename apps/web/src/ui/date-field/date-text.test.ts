import { afterEach, expect, test } from 'vitest';
import { type DateKind, readDate, tidyDate, writeDate } from './date-text.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  ['datetime', '2026-12-01 18:00', '2026-12-01 18:00'],
  ['datetime', ' 2026/12/1  8:5 ', '2026-12-01 08:05'],
  ['datetime', '2026-12-01T18:00', '2026-12-01 18:00'],
  ['datetime', '２０２６－１２－０１　１８：００', '2026-12-01 18:00'],
  ['datetime', '2026年12月1日18时30分', '2026-12-01 18:30'],
  ['date', '2026.2.28', '2026-02-28'],
  ['date', '2028-02-29', '2028-02-29'],
  ['time', '8：30', '08:30'],
  ['time', '00:00', '00:00'],
] satisfies [DateKind, string, string][])('a %s typed as %j is %j', (kind, typed, text) => {
  expect(tidyDate(kind, typed)).toBe(text);
  expect(readDate(kind, text).type).toBe('read');
});

test.each([
  ['date', '2026-02-30', 'none'],
  ['date', '2026-02-29', 'none'],
  ['date', '2026-13-01', 'none'],
  ['date', '2026-00-10', 'none'],
  ['date', '0099-01-01', 'none'],
  ['datetime', '2026-12-01 24:00', 'none'],
  ['datetime', '2026-12-01 18:60', 'none'],
  ['time', '25:00', 'none'],
  ['date', '明天', 'unreadable'],
  ['date', '12/01/2026', 'unreadable'],
  ['date', '2026-12-01 18:00', 'unreadable'],
  ['datetime', '2026-12-01', 'unreadable'],
  ['datetime', '2026-12-0118:00', 'unreadable'],
  ['time', '6:00 PM', 'unreadable'],
  ['time', '', 'unreadable'],
] satisfies [DateKind, string, string][])('a %s typed as %j is %s, and stays as it was typed', (kind, typed, type) => {
  expect(readDate(kind, typed)).toEqual({ type });
  expect(tidyDate(kind, typed)).toBe(typed);
});

test('it is the clock of the place that counts, and an hour that it leaves out does not exist', () => {
  process.env['TZ'] = 'Europe/Berlin';
  expect(readDate('datetime', '2026-12-01 18:00')).toEqual({ type: 'read', date: new Date('2026-12-01T17:00:00Z') });
  expect(writeDate('datetime', new Date('2026-12-01T17:00:00Z'))).toBe('2026-12-01 18:00');
  expect(readDate('datetime', '2026-03-29 02:30')).toEqual({ type: 'none' });
  expect(readDate('time', '02:30').type).toBe('read');
});

test.each([
  ['America/Santiago', '2026-09-06'],
  ['Asia/Beirut', '2026-03-29'],
  ['Africa/Cairo', '2026-04-24'],
])('in %s %s is a day like others, though its midnight is left out', (place, day) => {
  process.env['TZ'] = place;
  expect(readDate('date', day).type).toBe('read');
  expect(tidyDate('date', day)).toBe(day);
  expect(readDate('datetime', `${day} 00:00`)).toEqual({ type: 'none' });
});
