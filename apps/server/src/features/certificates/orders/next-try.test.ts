import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renewalTime, retryDelayMs } from './next-try.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const noJitter = () => 0;

/** When attempts take place that all fail, counted from the first one. */
function failingAttempts(problem: Parameters<typeof retryDelayMs>[0]['problem'], count: number): number[] {
  const attemptTimesMs = [0];
  for (let failures = 1; failures < count; failures++)
    attemptTimesMs.push(
      attemptTimesMs.at(-1)! + retryDelayMs({ problem, failures, retryAfterMs: undefined }, noJitter),
    );
  return attemptTimesMs;
}

test('a name that fails validation is never tried more than five times in any hour', () => {
  for (const problem of ['connection-failed', 'answer-wrong', 'caa-forbids', 'internal'] as const) {
    const attemptTimesMs = failingAttempts(problem, 40);
    for (const fromMs of attemptTimesMs)
      expect(attemptTimesMs.filter((ms) => ms >= fromMs && ms < fromMs + HOUR_MS).length).toBeLessThanOrEqual(5);
  }
});

test('a problem that may be transient is retried after a minute, then after a quarter of an hour', () => {
  const delayMs = (failures: number) =>
    retryDelayMs({ problem: 'connection-failed', failures, retryAfterMs: undefined }, noJitter);
  expect([1, 2, 3].map(delayMs)).toEqual([60_000, HOUR_MS / 4, HOUR_MS / 2]);
});

test('a problem that does not reach the authority is retried after a minute, and at least every hour', () => {
  expect(retryDelayMs({ problem: 'name-unresolved', failures: 1, retryAfterMs: undefined }, noJitter)).toBe(60_000);
  expect(retryDelayMs({ problem: 'name-unresolved', failures: 50, retryAfterMs: undefined }, noJitter)).toBe(HOUR_MS);
});

test('the delay grows to half a day at most', () => {
  const delayMs = retryDelayMs({ problem: 'answer-wrong', failures: 100, retryAfterMs: undefined }, noJitter);
  expect(delayMs).toBe(12 * HOUR_MS);
});

test('Retry-After is obeyed up to a week', () => {
  const afterMs = (retryAfterMs: number) =>
    retryDelayMs({ problem: 'rate-limited', failures: 1, retryAfterMs }, noJitter);
  expect(afterMs(5 * HOUR_MS)).toBe(5 * HOUR_MS);
  expect(afterMs(1_000)).toBe(HOUR_MS / 4);
  expect(afterMs(365 * DAY_MS)).toBe(7 * DAY_MS);
});

test('a certificate is renewed when about a third of its lifetime is left, never after its end', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 400 * 24 * 3600 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (lifetimeSeconds, random) => {
        const notBefore = new Date('2026-11-21T00:00:00Z');
        const notAfter = new Date(notBefore.getTime() + lifetimeSeconds * 1000);
        const leftMs = notAfter.getTime() - renewalTime({ notBefore, notAfter }, () => random).getTime();
        expect(leftMs / (lifetimeSeconds * 1000)).toBeGreaterThanOrEqual(0.333);
        expect(leftMs / (lifetimeSeconds * 1000)).toBeLessThanOrEqual(0.367);
      },
    ),
  );
});
