import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Arrivals } from './arrivals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether the waiting is over. */
function watch(waiting: Promise<void>): { isOver: () => Promise<boolean> } {
  let isOver = false;
  void waiting.then(() => (isOver = true));
  return { isOver: async () => (await vi.advanceTimersByTimeAsync(0), isOver) };
}

test('the waiting is over when as many devices are connected as are expected, also if they came before it', async () => {
  const arrivals = new Arrivals({ devices: 2, timeoutMs: 1_000 });
  arrivals.note(1);
  const waiting = watch(arrivals.wait());
  expect(await waiting.isOver()).toBe(false);
  arrivals.note(2);
  expect(await waiting.isOver()).toBe(true);

  const early = new Arrivals({ devices: 2, timeoutMs: 1_000 });
  early.note(2);
  expect(await watch(early.wait()).isOver()).toBe(true);
});

test('devices that stay away are waited for no longer than the time that they have', async () => {
  const arrivals = new Arrivals({ devices: 2, timeoutMs: 1_000 });
  const waiting = watch(arrivals.wait());
  await vi.advanceTimersByTimeAsync(999);
  expect(await waiting.isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await waiting.isOver()).toBe(true);
});
