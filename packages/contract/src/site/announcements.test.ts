import { expect, test } from 'vitest';
import { AnnouncementBody } from './announcements.ts';

const isFit = (starts_at: string | null, ends_at: string | null): boolean =>
  AnnouncementBody.safeParse({ title: 't', detail: 'd', url: '', display: true, starts_at, ends_at }).success;

test('an announcement ends after it starts, however exactly its times are written', () => {
  expect(isFit('2026-11-21T08:00:00Z', '2026-11-21T08:00:00.500Z')).toBe(true);
  expect(isFit('2026-11-21T08:00:00.500Z', '2026-11-21T08:00:00Z')).toBe(false);
  expect(isFit('2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000Z')).toBe(false);
  expect(isFit('2026-11-21T08:00:00Z', '2026-11-22T07:00:00Z')).toBe(true);
});

test('an announcement may start or end at any time', () => {
  expect(isFit(null, '2026-11-21T08:00:00Z')).toBe(true);
  expect(isFit('2026-11-21T08:00:00Z', null)).toBe(true);
});
