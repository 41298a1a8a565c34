import { expect, test } from 'vitest';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { ShapedFlow } from './shaped-flow.ts';
import { ShapedLine } from './shaped-line.ts';

const MBIT = 1_000_000;
const MIN_BURST_BYTES = 64 * 1024;

/** A stream's end of a line: counts what comes through and can be made to take no more. */
class Tap {
  readonly flow: ShapedFlow;
  readonly #clock: VirtualClock;
  readonly #onBytes: (bytes: number) => void;
  bytes = 0;
  largestBytes = 0;
  lastAtMs = 0;
  hasEnded = false;
  drains = 0;
  isFull = false;
  /** Called for each drain, for a stream that has always more to say. */
  refill: (() => void) | undefined;

  constructor(line: ShapedLine, clock: VirtualClock, onBytes: (bytes: number) => void = () => {}) {
    this.#clock = clock;
    this.#onBytes = onBytes;
    this.flow = line.openFlow({
      pass: (chunk) => this.#pass(chunk),
      onEnd: () => (this.hasEnded = true),
      onDrain: () => {
        this.drains++;
        this.refill?.();
      },
    });
  }

  /** Keeps this much waiting, in chunks of this size. */
  keepBusy(chunkBytes: number): void {
    const chunk = Buffer.alloc(chunkBytes);
    this.refill = () => {
      while (this.flow.push(chunk));
    };
    this.refill();
  }

  #pass(chunk: Buffer): boolean {
    this.bytes += chunk.length;
    this.largestBytes = Math.max(this.largestBytes, chunk.length);
    this.lastAtMs = this.#clock.monotonicMs();
    this.#onBytes(chunk.length);
    return !this.isFull;
  }
}

function openLine(bitsPerSecond: number | null) {
  const clock = new VirtualClock();
  const bugs: unknown[] = [];
  const line = new ShapedLine(clock, (error) => bugs.push(error));
  line.setRate(bitsPerSecond);
  let bytes = 0;
  let mostAheadBytes = 0;
  const allowedBytes = (monotonicMs: number) =>
    Math.max((bitsPerSecond ?? Infinity) / 32, MIN_BURST_BYTES) + ((bitsPerSecond ?? Infinity) / 8_000) * monotonicMs;
  return {
    clock,
    bugs,
    line,
    allowedBytes,
    get bytes() {
      return bytes;
    },
    /** How far the bytes ever were beyond what the rate allows. */
    get mostAheadBytes() {
      return mostAheadBytes;
    },
    openTap: () =>
      new Tap(line, clock, (count) => {
        bytes += count;
        mostAheadBytes = Math.max(mostAheadBytes, bytes - allowedBytes(clock.monotonicMs()));
      }),
  };
}

/** 1: all have the same; 1/n: one has everything. */
function jainIndex(shares: number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  return sum ** 2 / (shares.length * shares.reduce((total, share) => total + share ** 2, 0));
}

test.each([0.256, 1, 8, 100, 1_000])('over time exactly %d Mbit/s pass, and never more', (megabits) => {
  const t = openLine(megabits * MBIT);
  t.openTap().keepBusy(64 * 1024);
  t.openTap().keepBusy(1500);
  for (let second = 1; second <= 4; second++) {
    t.clock.advance(1_000);
    expect(t.bytes).toBeLessThanOrEqual(t.allowedBytes(second * 1_000));
    // What came together since the last turn, at most one turn and one tick of the timer.
    expect(t.bytes).toBeGreaterThan(t.allowedBytes(second * 1_000) - 16 * 1024 - (megabits * MBIT * 3) / 8_000);
  }
  expect(t.mostAheadBytes).toBe(0);
});

test('streams share a line evenly, whatever their chunk sizes', () => {
  const t = openLine(8 * MBIT);
  const taps = [64 * 1024, 20_000, 16 * 1024, 4096, 1500, 700, 100].map((chunkBytes) => {
    const tap = t.openTap();
    tap.keepBusy(chunkBytes);
    return tap;
  });
  t.clock.advance(1_000);
  const before = taps.map((tap) => tap.bytes);
  t.clock.advance(30_000);
  const shares = taps.map((tap, at) => tap.bytes - (before[at] ?? 0));
  expect(jainIndex(shares)).toBeGreaterThan(0.999);
  expect(Math.max(...taps.map((tap) => tap.largestBytes))).toBeLessThanOrEqual(64 * 1024);
});

test('while others wait no stream gets more than 16 KB at a time', () => {
  const t = openLine(100 * MBIT);
  const taps = [t.openTap(), t.openTap()];
  for (const tap of taps) tap.keepBusy(64 * 1024);
  t.clock.advance(1_000);
  for (const tap of taps) {
    tap.largestBytes = 0;
    tap.refill?.();
  }
  t.clock.advance(1_000);
  expect(taps.map((tap) => tap.largestBytes)).toEqual([16 * 1024, 16 * 1024]);
});

test('beside twenty downloads a new stream waits no longer than one turn of each', () => {
  const t = openLine(8 * MBIT);
  const downloads = Array.from({ length: 20 }, () => t.openTap());
  for (const tap of downloads) tap.keepBusy(64 * 1024);
  t.clock.advance(5_000);
  const page = t.openTap();
  const startMs = t.clock.monotonicMs();
  page.flow.push(Buffer.alloc(10_000));
  t.clock.advance(1_000);
  expect(page.bytes).toBe(10_000);
  expect(page.lastAtMs - startMs).toBeLessThanOrEqual((21 * 16 * 1024) / 1_000);
});

test('many short streams together get no more than the rate', () => {
  const t = openLine(4 * MBIT);
  for (let count = 0; count < 5_000; count++) {
    const tap = t.openTap();
    tap.flow.push(Buffer.alloc(8_000));
    if (count % 3 === 0) tap.flow.end();
    t.clock.advance(1);
  }
  expect(t.mostAheadBytes).toBe(0);
  expect(t.bytes).toBeGreaterThan(t.allowedBytes(5_000) - 16 * 1024 - 2_000);
});

test('after an idle time 250 ms of the rate pass at once, or 64 KB where that is more', () => {
  for (const [megabits, burstBytes] of [
    [80, 2_500_000],
    [1, MIN_BURST_BYTES],
  ] as const) {
    const t = openLine(megabits * MBIT);
    t.clock.advance(60_000);
    const tap = t.openTap();
    tap.flow.push(Buffer.alloc(10_000_000));
    expect(tap.bytes).toBeGreaterThan(burstBytes - 16 * 1024);
    expect(tap.bytes).toBeLessThanOrEqual(burstBytes);
  }
});

test('a line without a limit passes everything at once and needs no timer', () => {
  const t = openLine(null);
  const tap = t.openTap();
  expect(t.line.isLimited).toBe(false);
  expect(tap.flow.push(Buffer.alloc(10_000_000))).toBe(true);
  expect(tap.bytes).toBe(10_000_000);
  expect(t.clock.timerCount).toBe(0);
});

test('without its limit a line passes everything that waits, and a changed limit applies at once', () => {
  const t = openLine(1 * MBIT);
  const taps = [t.openTap(), t.openTap()];
  for (const tap of taps) tap.flow.push(Buffer.alloc(500_000));
  t.clock.advance(100);
  const before = t.bytes;
  t.line.setRate(8 * MBIT);
  t.clock.advance(100);
  expect(t.bytes - before).toBeGreaterThan(100_000 - 16 * 1024);
  expect(t.bytes - before).toBeLessThanOrEqual(100_000 + 16 * 1024);
  t.line.setRate(null);
  expect(taps.map((tap) => tap.bytes)).toEqual([500_000, 500_000]);
  expect(t.clock.timerCount).toBe(0);
});

test('a stream ends after its last byte, or at once when nothing waits', () => {
  const t = openLine(1 * MBIT);
  const [long, short] = [t.openTap(), t.openTap()];
  long.flow.push(Buffer.alloc(100_000));
  long.flow.end();
  short.flow.end();
  expect([long.hasEnded, short.hasEnded]).toEqual([false, true]);
  t.clock.advance(1_000);
  expect([long.bytes, long.hasEnded]).toEqual([100_000, true]);
  expect(t.clock.timerCount).toBe(0);
});

test('dropped bytes are neither passed nor counted against the rate', () => {
  const t = openLine(1 * MBIT);
  const [dropped, kept] = [t.openTap(), t.openTap()];
  dropped.flow.push(Buffer.alloc(1_000_000));
  kept.flow.push(Buffer.alloc(50_000));
  const before = t.bytes;
  dropped.flow.clear();
  dropped.flow.end();
  t.clock.advance(1_000);
  expect(t.bytes - before).toBe(50_000);
  expect([dropped.hasEnded, kept.bytes, t.clock.timerCount]).toEqual([false, 50_000, 0]);
});

test('a stream under backpressure delays no other, and goes on after its drain', () => {
  const t = openLine(8 * MBIT);
  const [full, other] = [t.openTap(), t.openTap()];
  full.isFull = true;
  expect(full.flow.push(Buffer.alloc(1_000))).toBe(false);
  full.flow.push(Buffer.alloc(200_000));
  other.keepBusy(16_000);
  t.clock.advance(1_000);
  expect(full.bytes).toBe(1_000);
  expect(t.bytes).toBeGreaterThan(t.allowedBytes(1_000) - 32 * 1024);
  full.isFull = false;
  full.flow.resume();
  t.clock.advance(1_000);
  expect(full.bytes).toBe(201_000);
  expect(full.drains).toBe(1);
});

test('a source that had to pause is resumed, however little it pushes meanwhile', () => {
  const t = openLine(1 * MBIT);
  const tap = t.openTap();
  expect(tap.flow.push(Buffer.alloc(200_000))).toBe(false);
  t.clock.advance(700);
  expect(tap.flow.waitingBytes).toBeLessThan(64 * 1024);
  expect(tap.flow.push(Buffer.alloc(1))).toBe(false);
  t.clock.advance(1_000);
  expect([tap.bytes, tap.drains]).toEqual([200_001, 1]);
});

test('the slowest line sets no timer beyond the longest that Node.js allows', () => {
  const t = openLine(1);
  t.openTap().keepBusy(64 * 1024);
  t.clock.advance(24 * 3_600_000);
  expect(t.bytes).toBeLessThanOrEqual(t.allowedBytes(24 * 3_600_000));
  expect(t.bytes).toBeGreaterThan(t.allowedBytes(24 * 3_600_000) - 16 * 1024);
  expect(t.clock.longestDelayMs).toBeLessThan(2 ** 31);
});

test('an error that one stream throws is reported, and the others go on', () => {
  const t = openLine(1 * MBIT);
  const bug = new Error('a mistake');
  const flow = t.line.openFlow({
    pass() {
      throw bug;
    },
    onEnd() {},
    onDrain() {},
  });
  const tap = t.openTap();
  tap.flow.push(Buffer.alloc(100_000));
  flow.push(Buffer.alloc(100_000));
  t.clock.advance(2_000);
  expect(t.bugs).toEqual([bug]);
  expect(tap.bytes).toBe(100_000);
});
