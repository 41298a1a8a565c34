import { Mux, type MuxStream, type MuxStreamEvents, openRequestLength } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { DeviceShaping } from '../shaping/device-shaping.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { UsageLedger } from '../usage/usage-ledger.ts';
import { openAgentTarget } from './agent-target.ts';
import { DeviceStream } from './device-stream.ts';

const MBIT = 1_000_000;
const FIRST_WINDOW_BYTES = 256 * 1024;

/** The device's end of the stream: accepts and records everything. */
class Device implements MuxStreamEvents {
  readonly received: Buffer[] = [];
  stream: MuxStream | undefined;
  hasEnd = false;
  hasReset = false;
  isReading = true;
  #unreadBytes = 0;

  onData(chunk: Buffer): void {
    this.received.push(chunk);
    this.#unreadBytes += chunk.length;
    if (this.isReading) this.read();
  }

  read(): void {
    this.stream?.consumed(this.#unreadBytes);
    this.#unreadBytes = 0;
  }

  onEnd(): void {
    this.hasEnd = true;
  }

  onReset(): void {
    this.hasReset = true;
  }

  onDrain(): void {}

  /** Without the open request. */
  get payload(): Buffer {
    const bytes = Buffer.concat(this.received);
    return bytes.subarray(openRequestLength(bytes));
  }

  /** The first byte says that the target is connected. */
  answer(bytes: number): void {
    this.stream?.write(Buffer.concat([Buffer.of(0), Buffer.alloc(bytes, 'd')]));
  }
}

/** A stream between a relay and a device that are joined in memory, with a limit of the device's bandwidth. */
function openStream(bitsPerSecond: number | null) {
  const clock = new VirtualClock();
  const device = new Device();
  const onClose = () => {};
  const shared = { monotonicMs: clock.monotonicMs, onOutput() {}, onClose };
  const agentMux = new Mux({
    ...shared,
    role: 'client',
    onStream(stream) {
      device.stream = stream;
      return device;
    },
  });
  const relayMux = new Mux({ ...shared, role: 'server', onStream: () => device });
  const shaping = new DeviceShaping(clock, (error) => relayMux.close(error as Error)); // what tests throw are errors
  shaping.setRate(bitsPerSecond);
  const seen = { bytes: 0, events: [] as string[], closed: 0, drains: 0, released: 0 };
  const stream = new DeviceStream(
    (request, events) => openAgentTarget(relayMux, request, events),
    { kind: 'tcp', mappingId: 1, host: '127.0.0.1', port: 80, visitorAddress: '203.0.113.7' },
    {
      meter: new UsageLedger().createMeter(1),
      shaping,
      marksAnswers: true,
      isAway: () => false,
      release: () => seen.released++,
      closed: () => seen.closed++,
    },
  );
  stream.events = {
    onData(chunk) {
      seen.bytes += chunk.length;
      stream.consumed(chunk.length);
    },
    onEnd: () => seen.events.push(`end after ${seen.bytes}`),
    onFailed: (failure) => seen.events.push(`${failure} after ${seen.bytes}`),
    onDrain: () => seen.drains++,
  };
  function carry(): void {
    while (relayMux.hasOutput || agentMux.hasOutput) {
      for (const chunk of relayMux.takeOutput(1_000_000)) agentMux.receive(Buffer.from(chunk));
      for (const chunk of agentMux.takeOutput(1_000_000)) relayMux.receive(Buffer.from(chunk));
    }
  }
  carry();
  return {
    stream,
    device,
    shaping,
    relayMux,
    seen,
    clock,
    carry,
    advance(ms: number): void {
      for (let passedMs = 0; passedMs < ms; passedMs += 10) {
        clock.advance(10);
        carry();
      }
    },
  };
}

test('an answer that the device ends arrives complete, and then its end', () => {
  const t = openStream(1 * MBIT);
  t.device.answer(200_000);
  t.device.stream?.end();
  t.carry();
  expect(t.seen.events).toEqual([]);
  expect(t.seen.bytes).toBeLessThan(100_000);
  t.advance(2_000);
  expect(t.seen.events).toEqual(['end after 200000']);
  expect(t.seen.closed).toBe(0);
  t.stream.end();
  expect(t.seen.closed).toBe(1);
});

test('bytes before a reset are passed on before the reset', () => {
  const t = openStream(1 * MBIT);
  t.device.answer(200_000);
  t.carry();
  t.device.stream?.reset();
  t.carry();
  expect(t.seen.events).toEqual([]);
  t.advance(2_000);
  expect([t.seen.events, t.seen.closed, t.clock.timerCount]).toEqual([['lost after 200000'], 1, 0]);
});

test('a reset overtakes an end that still waits', () => {
  const t = openStream(1 * MBIT);
  t.device.answer(200_000);
  t.device.stream?.end();
  t.carry();
  t.device.stream?.reset();
  t.carry();
  t.advance(2_000);
  expect(t.seen.events).toEqual(['lost after 200000']);
});

test('a reset after an end that was passed on is passed on at once', () => {
  const t = openStream(1 * MBIT);
  t.device.answer(1_000);
  t.device.stream?.end();
  t.carry();
  t.device.stream?.reset();
  t.carry();
  expect(t.seen.events).toEqual(['end after 1000', 'lost after 1000']);
});

test('a visitor that is cut gets none of the waiting bytes, and each event is reported once', () => {
  const t = openStream(1 * MBIT);
  t.device.answer(200_000);
  t.carry();
  const { bytes } = t.seen;
  t.stream.cut();
  t.advance(2_000);
  expect(t.seen).toMatchObject({ bytes, events: [`lost after ${bytes}`], closed: 1 });
  expect([t.device.hasReset, t.clock.timerCount]).toEqual([true, 0]);
});

test('a stream that its user resets causes no more events', () => {
  const t = openStream(1 * MBIT);
  t.device.answer(200_000);
  t.carry();
  const { bytes } = t.seen;
  t.stream.write(Buffer.alloc(500_000));
  t.stream.reset();
  t.advance(2_000);
  expect([t.seen.bytes, t.seen.events, t.device.hasReset, t.clock.timerCount]).toEqual([bytes, [], true, 0]);
});

test('a broken tunnel resets a stream with waiting bytes', () => {
  const t = openStream(1 * MBIT);
  t.device.answer(200_000);
  t.carry();
  t.relayMux.close();
  t.advance(2_000);
  expect(t.seen.events).toEqual(['lost after 200000']);
});

test('the relay buffers little of an upload; it arrives complete and ends after its last byte', () => {
  const t = openStream(1 * MBIT);
  const chunk = Buffer.alloc(10_000, 'u');
  let writes = 1;
  while (t.stream.write(chunk)) writes++;
  expect(writes * chunk.length).toBeLessThanOrEqual(2 * 64 * 1024 + chunk.length);
  t.stream.end();
  t.carry();
  expect(t.device.hasEnd).toBe(false);
  t.advance(2_000);
  expect([t.device.payload.length, t.device.hasEnd]).toEqual([writes * chunk.length, true]);
});

test('an upload goes on when there is room, and keeps the rate', () => {
  const t = openStream(8 * MBIT);
  const chunk = Buffer.alloc(30_000, 'u');
  let drains = 0;
  while (t.stream.write(chunk));
  for (let tick = 0; tick < 500; tick++) {
    t.advance(10);
    if (t.seen.drains === drains) continue;
    drains = t.seen.drains;
    while (t.stream.write(chunk));
  }
  const allowedBytes = 250_000 + 5 * 1_000_000;
  expect(t.device.payload.length).toBeLessThanOrEqual(allowedBytes);
  expect(t.device.payload.length).toBeGreaterThan(allowedBytes - 40_000);
});

test('the relay buffers no more of a download than its window, however fast the device sends', () => {
  const t = openStream(1 * MBIT);
  t.device.answer(5_000_000);
  for (let step = 0; step < 100; step++) {
    t.advance(100);
    const sentBytes = 5_000_001 - (t.device.stream?.queuedBytes ?? 0);
    expect(sentBytes - t.seen.bytes).toBeLessThanOrEqual(FIRST_WINDOW_BYTES);
  }
  expect(t.seen.bytes).toBeGreaterThan(1_200_000);
});

test('a limit that is set on an open stream applies from then on, and removing it passes everything', () => {
  const t = openStream(null);
  t.device.answer(150_000);
  t.carry();
  expect(t.seen.bytes).toBe(150_000);
  t.shaping.setRate(1 * MBIT);
  t.device.stream?.write(Buffer.alloc(150_000));
  t.stream.write(Buffer.alloc(150_000));
  t.carry();
  expect(t.seen.bytes).toBeLessThanOrEqual(150_000 + 64 * 1024);
  expect(t.device.payload.length).toBeLessThanOrEqual(64 * 1024);
  t.shaping.setRate(null);
  t.carry();
  expect([t.seen.bytes, t.device.payload.length, t.clock.timerCount]).toEqual([300_000, 150_000, 0]);
});

test('a source that was paused before the limit was set is resumed, though another stream has used up the limit', () => {
  const t = openStream(null);
  t.device.isReading = false;
  while (t.stream.write(Buffer.alloc(64 * 1024)));
  t.carry();
  while (t.stream.write(Buffer.alloc(64 * 1024)));
  const before = t.seen.drains;
  t.shaping.setRate(1 * MBIT);
  const other = t.shaping.upload.openFlow({ pass: () => true, onEnd() {}, onDrain() {} });
  other.push(Buffer.alloc(10_000_000));
  t.stream.write(Buffer.alloc(10));
  t.device.isReading = true;
  t.device.read();
  t.carry();
  expect(t.seen.drains).toBe(before + 1);
});

/** An idle stream that has carried a request and its answer. */
function openUsedStream(bitsPerSecond: number | null = null) {
  const t = openStream(bitsPerSecond);
  t.stream.write(Buffer.from('request 1'));
  t.carry();
  t.device.answer(10);
  t.advance(10);
  t.stream.release();
  return t;
}

test('an answer behind an empty window update belongs to the request before it', () => {
  const t = openUsedStream();
  t.stream.write(Buffer.from('request 2'));
  t.carry();
  t.device.stream?.sendEmptyUpdate();
  t.device.stream?.write(Buffer.alloc(20));
  t.carry();
  t.device.stream?.write(Buffer.alloc(20));
  t.carry();
  expect(t.seen).toMatchObject({ bytes: 50, events: [], closed: 0 });
});

test('bytes that a service sent before it got the request are no answer, and end the stream', () => {
  const t = openUsedStream();
  t.device.stream?.write(Buffer.alloc(20)); // not carried yet, so the relay does not know of it
  t.stream.write(Buffer.from('request 2'));
  t.carry();
  expect(t.seen).toMatchObject({ bytes: 10, events: ['lost after 10'], closed: 1 });
  expect(t.device.hasReset).toBe(true);
});

test('a window update for an earlier request does not mark what follows as an answer', () => {
  const t = openStream(null);
  t.device.isReading = false;
  t.stream.write(Buffer.alloc(200_000));
  t.carry();
  t.device.answer(10); // before it has read all of the request
  t.carry();
  t.stream.release();
  t.stream.write(Buffer.from('request 2'));
  t.carry();
  t.device.read();
  t.device.stream?.write(Buffer.alloc(20));
  t.carry();
  expect(t.seen).toMatchObject({ bytes: 10, released: 1, events: ['lost after 10'], closed: 1 });
});

test.each([null, 1 * MBIT])(
  'a stream whose request was answered before it was sent completely is not reused: %s',
  (rate) => {
    const t = openStream(rate);
    t.device.isReading = false;
    t.stream.write(Buffer.alloc(400_000));
    t.carry();
    t.device.answer(10);
    t.carry();
    t.stream.release();
    t.carry();
    expect([t.seen.released, t.seen.closed, t.device.hasReset]).toEqual([0, 1, true]);
  },
);

test('a byte without a request ends the stream, also when it would have to wait for the limited line', () => {
  for (const rate of [null, 1 * MBIT]) {
    const t = openUsedStream(rate);
    t.device.stream?.write(Buffer.alloc(1));
    t.carry();
    expect([rate, t.seen]).toEqual([
      rate,
      expect.objectContaining({ bytes: 10, events: ['lost after 10'], closed: 1 }),
    ]);
  }
});

test('a stream with bytes after the answer that still wait for the limited line is not reused', () => {
  const t = openStream(1 * MBIT);
  t.stream.write(Buffer.from('request 1'));
  t.carry();
  t.device.answer(200_000);
  t.carry();
  expect(t.seen.bytes).toBeLessThan(200_000);
  t.stream.release();
  t.carry();
  expect([t.seen.released, t.seen.closed, t.device.hasReset]).toEqual([0, 1, true]);
});
