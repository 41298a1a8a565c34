import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WarmUp } from './warm-up.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether the waiting is over. */
function watch(waiting: Promise<void>): { isOver: () => Promise<boolean> } {
  let isOver = false;
  void waiting.then(() => (isOver = true));
  return { isOver: async () => (await vi.advanceTimersByTimeAsync(0), isOver) };
}

test('the waiting is over when as many devices are connected as are expected, also if they came before it', async () => {
  const warmUp = new WarmUp({ devices: 2, timeoutMs: 1_000 });
  warmUp.updateCount(1);
  const waiting = watch(warmUp.wait());
  expect(await waiting.isOver()).toBe(false);
  warmUp.updateCount(2);
  expect(await waiting.isOver()).toBe(true);

  const early = new WarmUp({ devices: 2, timeoutMs: 1_000 });
  early.updateCount(2);
  expect(await watch(early.wait()).isOver()).toBe(true);
});

test('devices that stay away are waited for no longer than the time that they have', async () => {
  const warmUp = new WarmUp({ devices: 2, timeoutMs: 1_000 });
  const waiting = watch(warmUp.wait());
  await vi.advanceTimersByTimeAsync(999);
  expect(await waiting.isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await waiting.isOver()).toBe(true);
});
