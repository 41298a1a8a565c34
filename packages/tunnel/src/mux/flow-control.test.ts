import { expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { FIRST_WINDOW_BYTES, ReceiveWindow, WindowBudget } from './flow-control.ts';

const MEGABYTE = 1024 * 1024;
const RTT_MS = 100;

/** Uses up all the credit and consumes it, taking `elapsedMs`. */
function cycle(window: ReceiveWindow, clock: { monotonicMs: number }, elapsedMs: number): number {
  const bytes = window.creditBytes;
  window.reserve(bytes, clock.monotonicMs);
  window.deliver(bytes);
  clock.monotonicMs += elapsedMs;
  return window.consume(bytes) ? window.renew(clock.monotonicMs, RTT_MS) : 0;
}

test('a window in fast use doubles up to its maximum', () => {
  const clock = { monotonicMs: 0 };
  const window = new ReceiveWindow(new WindowBudget(64 * MEGABYTE), MEGABYTE, 0);
  const sizes = [1, 2, 3, 4].map(() => cycle(window, clock, RTT_MS));
  expect(sizes).toEqual([MEGABYTE / 2, MEGABYTE, MEGABYTE, MEGABYTE]);
});

test('a window in slower use keeps its size', () => {
  const clock = { monotonicMs: 0 };
  const window = new ReceiveWindow(new WindowBudget(64 * MEGABYTE), MEGABYTE, 0);
  expect(cycle(window, clock, 2 * RTT_MS)).toBe(FIRST_WINDOW_BYTES);
});

test('a grown window in very slow use shrinks to the initial size and frees the budget', () => {
  const clock = { monotonicMs: 0 };
  const budget = new WindowBudget(64 * MEGABYTE);
  const window = new ReceiveWindow(budget, MEGABYTE, 0);
  cycle(window, clock, RTT_MS);
  cycle(window, clock, RTT_MS);
  expect([window.targetBytes, budget.freeBytes]).toEqual([MEGABYTE, 64 * MEGABYTE - MEGABYTE + FIRST_WINDOW_BYTES]);
  for (let i = 0; i < 4; i++) cycle(window, clock, 60_000);
  expect([window.targetBytes, window.creditBytes]).toEqual([FIRST_WINDOW_BYTES, FIRST_WINDOW_BYTES]);
  expect(budget.freeBytes).toBe(64 * MEGABYTE);
});

test('credit that was given stays charged after shrinking until it is used up', () => {
  const clock = { monotonicMs: 0 };
  const budget = new WindowBudget(MEGABYTE);
  const window = new ReceiveWindow(budget, MEGABYTE, 0);
  cycle(window, clock, RTT_MS); // the credit is 512 KB
  window.reserve(FIRST_WINDOW_BYTES, clock.monotonicMs);
  window.deliver(FIRST_WINDOW_BYTES);
  clock.monotonicMs += 60_000;
  expect(window.consume(FIRST_WINDOW_BYTES)).toBe(true);
  expect(window.renew(clock.monotonicMs, RTT_MS)).toBe(0);
  expect([window.creditBytes, budget.freeBytes]).toEqual([FIRST_WINDOW_BYTES, MEGABYTE]);
});

test('without budget a window does not grow', () => {
  const clock = { monotonicMs: 0 };
  const window = new ReceiveWindow(new WindowBudget(FIRST_WINDOW_BYTES - 1), MEGABYTE, 0);
  expect(cycle(window, clock, 1)).toBe(FIRST_WINDOW_BYTES);
});

test('a receiver that consumes nothing receives no more than its window', () => {
  const window = new ReceiveWindow(new WindowBudget(MEGABYTE), MEGABYTE, 0);
  window.reserve(FIRST_WINDOW_BYTES, 0);
  expect(() => window.reserve(1, 0)).toThrow(ProtocolError);
});

test('a budget refuses what its parent refuses, and takes nothing', () => {
  const parent = new WindowBudget(100);
  const child = new WindowBudget(1000, parent);
  expect([child.take(101, 0), child.freeBytes, parent.freeBytes]).toEqual([false, 1000, 100]);
  expect([child.take(40, 0), child.freeBytes, parent.freeBytes]).toEqual([true, 960, 60]);
  child.giveBack(40);
  expect([child.freeBytes, parent.freeBytes]).toEqual([1000, 100]);
});

test('a holder of as much of a budget as is left gets no more, so that later ones get some', () => {
  const parent = new WindowBudget(1024);
  const takers = Array.from({ length: 6 }, () => new WindowBudget(1024, parent));
  const heldBytes = takers.map((taker) => {
    let held = 0;
    while (taker.take(1, held)) held++;
    return held;
  });
  expect(heldBytes).toEqual([512, 256, 128, 64, 32, 16]);
});

test('the window of an idle stream shrinks, and frees the budget as the peer uses it', () => {
  const clock = { monotonicMs: 0 };
  const budget = new WindowBudget(64 * MEGABYTE);
  const window = new ReceiveWindow(budget, 4 * MEGABYTE, 0);
  for (let round = 0; round < 4; round++) cycle(window, clock, RTT_MS);
  expect(window.targetBytes).toBe(4 * MEGABYTE);
  clock.monotonicMs += 25_000;
  window.reserve(1, clock.monotonicMs);
  expect(window.targetBytes).toBe(MEGABYTE);
  clock.monotonicMs += 3_600_000;
  window.reserve(1, clock.monotonicMs);
  expect(window.targetBytes).toBe(FIRST_WINDOW_BYTES);
  // Credit of the peer cannot be taken back, and stays charged.
  expect(budget.freeBytes).toBe(60 * MEGABYTE + FIRST_WINDOW_BYTES);
  window.deliver(2);
  window.consume(2);
  const used = 3 * MEGABYTE;
  window.reserve(used, clock.monotonicMs);
  window.deliver(used);
  window.consume(used);
  expect(budget.freeBytes).toBe(63 * MEGABYTE + FIRST_WINDOW_BYTES + 2);
});

test('a stream in steady use keeps its window, however long it lasts', () => {
  const clock = { monotonicMs: 0 };
  const window = new ReceiveWindow(new WindowBudget(64 * MEGABYTE), MEGABYTE, 0);
  cycle(window, clock, RTT_MS);
  cycle(window, clock, RTT_MS);
  // Half of the window every 5 s.
  for (let round = 0; round < 100; round++) cycle(window, clock, 9_000);
  expect(window.targetBytes).toBe(MEGABYTE);
});
