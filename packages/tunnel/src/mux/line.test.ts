import { expect, test } from 'vitest';
import { Mux } from './mux.ts';
import type { MuxStream } from './stream.ts';

type UnderWay = { dueMs: number; bytes: Buffer };
type LineOptions = { bytesPerMs: number; delayMs: number; lossShare?: number };

/**
 * A mux that sends over a line with a rate, a delay in each direction and queues that take everything, to a mux that
 * reads at once. On a clock of its own, in steps of a millisecond.
 */
function createLine({ bytesPerMs, delayMs, lossShare = 0 }: LineOptions) {
  const clock = { monotonicMs: 0 };
  const received = { bytes: 0 };
  const shared = { monotonicMs: () => clock.monotonicMs, onOutput() {}, onClose() {} };
  const near = new Mux({ ...shared, role: 'client', onStream: () => quiet });
  const far = new Mux({
    ...shared,
    role: 'server',
    onStream: (stream) => ({
      ...quiet,
      onData(chunk) {
        received.bytes += chunk.length;
        stream.consumed(chunk.length);
      },
    }),
  });
  const queue: Buffer[] = [];
  let queuedBytes = 0;
  let creditBytes = 0;
  let lastDueMs = 0;
  const random = createRandom();
  const forth: UnderWay[] = [];
  const back: UnderWay[] = [];

  /** As `MuxCarrier` does it. */
  function send(from: Mux): Buffer[] {
    from.measureLine();
    return from.takeOutput(Math.min(256 * 1024, from.roomBytes));
  }

  function passQueue(): void {
    creditBytes = Math.min(creditBytes + bytesPerMs, queuedBytes);
    while (queue[0] !== undefined && creditBytes > 0) {
      const bytes = queue[0].subarray(0, creditBytes);
      if (bytes.length === queue[0].length) queue.shift();
      else queue[0] = queue[0].subarray(bytes.length);
      creditBytes -= bytes.length;
      queuedBytes -= bytes.length;
      forth.push({ dueMs: dueMsOf(bytes), bytes });
    }
  }

  /** What comes after a lost packet waits for its repetition, two round trips with a line that is full. */
  function dueMsOf(bytes: Buffer): number {
    const isLost = random() > (1 - lossShare) ** (bytes.length / PACKET_BYTES);
    lastDueMs = Math.max(lastDueMs, clock.monotonicMs + (isLost ? 5 : 1) * delayMs);
    return lastDueMs;
  }

  function tick(): void {
    clock.monotonicMs++;
    deliver(forth, far);
    deliver(back, near);
    for (const bytes of send(near)) {
      queue.push(bytes);
      queuedBytes += bytes.length;
    }
    passQueue();
    const replies = Buffer.concat(send(far));
    if (replies.length > 0) back.push({ dueMs: clock.monotonicMs + delayMs, bytes: replies });
  }

  function deliver(underWay: UnderWay[], to: Mux): void {
    while (underWay[0] !== undefined && underWay[0].dueMs <= clock.monotonicMs) {
      const { bytes } = underWay[0];
      underWay.shift();
      to.receive(bytes);
    }
  }

  return {
    near,
    clock,
    received,
    run(durationMs: number, each: () => void = () => {}): void {
      for (let n = 0; n < durationMs; n++) {
        each();
        tick();
      }
    },
    change: (next: LineOptions) => ({ bytesPerMs, delayMs } = next),
    queuedMs: () => queuedBytes / bytesPerMs,
  };
}

const PACKET_BYTES = 1_448;

/** The same numbers in each run, from 0 to 1 (a linear congruential generator, Numerical Recipes). */
function createRandom(): () => number {
  let state = 1;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

const quiet = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };

/** Sends without end. Returns what to call in each millisecond. */
function download(mux: Mux): () => void {
  const chunk = Buffer.alloc(64 * 1024);
  const stream: MuxStream = mux.openStream(quiet);
  return () => {
    while (stream.queuedBytes < 1024 * 1024) stream.write(chunk);
  };
}

const lines = {
  '20 Mbit/s, 30 ms': { bytesPerMs: 2500, delayMs: 15 },
  '100 Mbit/s, 30 ms': { bytesPerMs: 12_500, delayMs: 15 },
  '2 Mbit/s, 100 ms': { bytesPerMs: 250, delayMs: 50 },
  '50 Mbit/s, 300 ms': { bytesPerMs: 6250, delayMs: 150 },
};

test.each(Object.entries(lines))('a download fills a line of %s, and others wait little behind it', (_, line) => {
  const { near, run, received, queuedMs } = createLine(line);
  const more = download(near);
  run(5_000, more); // it finds the rate of the line
  const before = received.bytes;
  const waits: number[] = [];
  run(20_000, () => {
    more();
    waits.push(queuedMs());
  });
  waits.sort((a, b) => a - b);
  // Some of it is the price of the moments in which the queue is emptied to see the round trip.
  expect((received.bytes - before) / 20_000 / line.bytesPerMs).toBeGreaterThan(0.88);
  expect(waits[waits.length / 2]).toBeLessThan(Math.max(130, 2.3 * 2 * line.delayMs));
});

test('a sender that does not slow down at losses fills a line that has some', () => {
  const line = { bytesPerMs: 10_000, delayMs: 50, lossShare: 0.01 };
  const { near, run, received } = createLine(line);
  const more = download(near);
  run(5_000, more);
  const before = received.bytes;
  run(20_000, more);
  expect((received.bytes - before) / 20_000 / line.bytesPerMs).toBeGreaterThan(0.9);
});

test('a line that becomes faster is filled, and one that becomes slower is not flooded for long', () => {
  const slow = { bytesPerMs: 1000, delayMs: 20 };
  const fast = { bytesPerMs: 10_000, delayMs: 20 };
  const { near, run, received, queuedMs, change } = createLine(slow);
  const more = download(near);
  run(10_000, more);
  change(fast);
  run(3_000, more);
  const before = received.bytes;
  run(5_000, more);
  expect((received.bytes - before) / 5_000 / fast.bytesPerMs).toBeGreaterThan(0.9);
  change(slow);
  run(20_000, more);
  expect(queuedMs()).toBeLessThan(250);
});

test('a queue of somebody else on the line does not starve the download', () => {
  // The others leave no more of the line than this, and their queue stays.
  const { near, run, received, change } = createLine({ bytesPerMs: 2500, delayMs: 15 });
  const more = download(near);
  run(10_000, more);
  const beside = { bytesPerMs: 1250, delayMs: 165 };
  change(beside);
  run(60_000, more);
  const before = received.bytes;
  run(10_000, more);
  expect((received.bytes - before) / 10_000 / beside.bytesPerMs).toBeGreaterThan(0.9);
});
