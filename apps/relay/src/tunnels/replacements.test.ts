import { expect, test } from 'vitest';
import { Replacements } from './replacements.ts';

const MINUTE = 60_000;

test('two agents that keep replacing each other wait longer each time', () => {
  const replacements = new Replacements();
  const waits: number[] = [];
  let monotonicMs = 0;
  for (let turn = 0; turn < 5; turn++) {
    const { retryAfterMs } = replacements.add(7, monotonicMs);
    waits.push(retryAfterMs / MINUTE);
    monotonicMs += retryAfterMs + 1_000;
  }
  expect(waits).toEqual([1, 5, 30, 30, 30]);
});

test('old replacements, and those of other devices, do not count', () => {
  const replacements = new Replacements();
  replacements.add(7, 0);
  expect(replacements.add(8, 1_000)).toEqual({ retryAfterMs: MINUTE, isRepeated: false });
  expect(replacements.add(7, 2_000)).toEqual({ retryAfterMs: 5 * MINUTE, isRepeated: true });
  expect(replacements.add(7, 11 * MINUTE)).toEqual({ retryAfterMs: MINUTE, isRepeated: false });
  replacements.forget(7);
  expect(replacements.add(7, 11 * MINUTE)).toEqual({ retryAfterMs: MINUTE, isRepeated: false });
});
