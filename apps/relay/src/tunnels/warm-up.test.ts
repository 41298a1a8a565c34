import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WarmUp } from './warm-up.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether the warm-up has ended. */
function watch(waiting: Promise<void>): { isOver: () => Promise<boolean> } {
  let isOver = false;
  void waiting.then(() => (isOver = true));
  return { isOver: async () => (await vi.advanceTimersByTimeAsync(0), isOver) };
}

test('the warm-up ends when the expected number of devices is connected, also if they came before it began', async () => {
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

test('the warm-up ends after its time limit when devices stay away', async () => {
  const warmUp = new WarmUp({ devices: 2, timeoutMs: 1_000 });
  const waiting = watch(warmUp.wait());
  await vi.advanceTimersByTimeAsync(999);
  expect(await waiting.isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await waiting.isOver()).toBe(true);
});
