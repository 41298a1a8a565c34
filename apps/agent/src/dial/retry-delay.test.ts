import { expect, test } from 'vitest';
import { RetryDelay } from './retry-delay.ts';

const MINUTE_MS = 60_000;
const lost = { type: 'lost' } as const;

function createClock() {
  const clock = { ms: 0, monotonicMs: () => clock.ms };
  return clock;
}

type Clock = ReturnType<typeof createClock>;

function loseSession(delay: RetryDelay, clock: Clock, livedMs = MINUTE_MS): void {
  delay.onWelcome();
  clock.ms += livedMs;
  delay.onEnded();
}

/** Dials a relay that is down for `outageMs`. Returns the delay after its return and the number of tries. */
function returnAfter(delay: RetryDelay, clock: Clock, outageMs: number): { lateMs: number; tries: number } {
  const backAtMs = clock.ms + outageMs;
  for (let tries = 1; ; tries++) {
    clock.ms += delay.pauseMs(lost);
    if (clock.ms >= backAtMs) return { lateMs: clock.ms - backAtMs, tries };
    delay.onEnded();
  }
}

test.each([500, 1_000, 4_000, 10_000, 30_000, 59_000])(
  'after an outage of %i ms the last of 1 000 agents dials within a second of the return',
  (outageMs) => {
    const returns = Array.from({ length: 1_000 }, (_, n) => {
      const clock = createClock();
      const delay = new RetryDelay({ ...clock, random: () => ((n * 7919) % 1_000) / 1_000 });
      loseSession(delay, clock);
      return returnAfter(delay, clock, outageMs);
    });
    expect(Math.max(...returns.map(({ lateMs }) => lateMs))).toBeLessThanOrEqual(1_000);
    expect(Math.max(...returns.map(({ tries }) => tries))).toBeLessThanOrEqual(outageMs / 500 + 4);
  },
);

test('agents that lose a relay at the same time do not dial at the same time when it is back', () => {
  const slots = new Map<number, number>();
  let seed = 1;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  for (let n = 0; n < 1_000; n++) {
    const clock = createClock();
    const delay = new RetryDelay({ ...clock, random });
    loseSession(delay, clock);
    const slot = Math.floor(returnAfter(delay, clock, 4_000).lateMs / 100);
    slots.set(slot, (slots.get(slot) ?? 0) + 1);
  }
  // Evenly spread, each tenth of a second would have about 130: dialling ends within 0.75 s on average.
  expect(Math.max(...slots.values())).toBeLessThan(300);
});

test('in a long outage the pauses grow to 20 s', () => {
  const clock = createClock();
  const delay = new RetryDelay({ ...clock, random: () => 1 });
  loseSession(delay, clock);
  returnAfter(delay, clock, MINUTE_MS);
  expect(Array.from({ length: 6 }, () => delay.pauseMs(lost))).toEqual([2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
});

test('a relay that was never reached is dialled less and less often', () => {
  const delay = new RetryDelay({ monotonicMs: () => 0, random: () => 1 });
  const waits = Array.from({ length: 9 }, () => {
    delay.onEnded();
    return delay.pauseMs(lost);
  });
  expect(waits).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 12_800, 20_000, 20_000]);
});

test('the pauses between refusals grow, also just after a loss', () => {
  const clock = createClock();
  const delay = new RetryDelay({ ...clock, random: () => 1 });
  loseSession(delay, clock);
  const waits = Array.from({ length: 5 }, () => delay.pauseMs({ type: 'refused' }));
  expect(waits).toEqual([200, 400, 800, 1_600, 3_200]);
});

test('the pause that a relay asks for is kept, up to an hour', () => {
  const delay = new RetryDelay({ monotonicMs: () => 0, random: () => 1 });
  const waits = [1_234, null, 86_400_000].map((retryAfterMs) => delay.pauseMs({ type: 'bye', retryAfterMs }));
  expect(waits).toEqual([1_234, 0, 3_600_000]);
});

test('the pauses between sessions that end at once grow', () => {
  const clock = createClock();
  const delay = new RetryDelay({ ...clock, random: () => 1 });
  const waits = Array.from({ length: 5 }, () => {
    loseSession(delay, clock, 100);
    return delay.pauseMs(lost);
  });
  expect(waits).toEqual([200, 400, 800, 1_600, 3_200]);
});
