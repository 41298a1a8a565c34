import { expect, test } from 'vitest';
import { createBackoff } from './backoff.ts';

function take(count: number, random: () => number): number[] {
  const backoff = createBackoff({ firstMs: 200, maxMs: 20_000, random });
  return Array.from({ length: count }, () => backoff.nextMs());
}

test('waiting times double up to the greatest', () => {
  expect(take(9, () => 1)).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800, 20_000, 20_000]);
});

test('jitter takes off up to half', () => {
  expect(take(3, () => 0)).toEqual([100, 200, 400]);
  expect(take(3, () => 0.5)).toEqual([150, 300, 600]);
});

test('after a success the waiting starts over', () => {
  const backoff = createBackoff({ firstMs: 200, maxMs: 20_000, random: () => 1 });
  backoff.nextMs();
  backoff.nextMs();
  backoff.reset();
  expect(backoff.nextMs()).toBe(200);
});

test('a limit of the moment holds the waiting back, and it grows from there', () => {
  const backoff = createBackoff({ firstMs: 200, maxMs: 20_000, random: () => 1 });
  const limited = Array.from({ length: 5 }, () => backoff.nextMs(1_000));
  expect(limited).toEqual([200, 400, 800, 1_000, 1_000]);
  expect([backoff.nextMs(), backoff.nextMs()]).toEqual([2_000, 4_000]);
});
