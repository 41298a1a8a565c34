import { expect, test } from 'vitest';
import { createLoneMux, rawFrame, type RawFrame } from '../testing/lone-mux.ts';
import { FIRST_WINDOW_BYTES, WindowBudget } from './flow-control.ts';
import { flag, frameType } from './frame.ts';
import type { Mux } from './mux.ts';

const { data, windowUpdate, ping, goAway } = frameType;

test('write returns false at the high-water mark, and onDrain is called when half is sent', () => {
  const lone = createLoneMux({ limits: { writeHighWaterBytes: 100_000 } });
  const { stream, seen } = lone.open();
  expect(stream.write(Buffer.alloc(99_999))).toBe(true);
  expect(stream.write(Buffer.alloc(1))).toBe(false);
  lone.mux.takeOutput(32 * 1024);
  expect(seen).toEqual([]);
  lone.mux.takeOutput(32 * 1024);
  expect(seen).toEqual(['drain']);
});

test('onDrain is called after write returned false, also if more was written meanwhile', () => {
  const lone = createLoneMux({ limits: { writeHighWaterBytes: 100_000 } });
  const { stream, seen } = lone.open();
  expect(stream.write(Buffer.alloc(100_000))).toBe(false);
  lone.mux.takeOutput(32 * 1024);
  expect(stream.write(Buffer.alloc(1))).toBe(false);
  lone.mux.takeOutput(32 * 1024);
  expect(seen).toEqual(['drain']);
});

test('nothing is sent beyond the window of the peer, and its update allows the rest', () => {
  const lone = createLoneMux();
  const { stream } = lone.open();
  stream.write(Buffer.alloc(FIRST_WINDOW_BYTES + 10));
  stream.end();
  expect(sumOfData(lone.sent())).toBe(FIRST_WINDOW_BYTES);
  expect([lone.mux.hasOutput, stream.queuedBytes]).toEqual([false, 10]);
  lone.mux.receive(rawFrame({ type: windowUpdate, streamId: stream.id, length: 4 }));
  expect(lone.sent().map(({ flags, length }) => [flags, length])).toEqual([[0, 4]]);
  lone.mux.receive(rawFrame({ type: windowUpdate, streamId: stream.id, length: 100 }));
  expect(lone.sent().map(({ flags, length }) => [flags, length])).toEqual([
    [0, 6],
    [flag.fin, 0],
  ]);
});

test('an empty window update is sent before the data that is written next', () => {
  const [lone, peer] = [createLoneMux(), createLoneMux({ role: 'client' })];
  const { stream } = lone.open();
  stream.write(Buffer.from('before'));
  expect(() => stream.sendEmptyUpdate()).toThrow('overtake');
  for (const chunk of lone.mux.takeOutput(1_000_000)) peer.mux.receive(chunk);
  const accepted = peer.accepted[0];
  expect([accepted?.text(), accepted?.stream.emptyUpdateCount]).toEqual(['before', 0]);

  stream.sendEmptyUpdate();
  stream.write(Buffer.from(' after'));
  const frames = Buffer.concat(lone.mux.takeOutput(1_000_000));
  const [update, payload] = [frames.subarray(0, 12), frames.subarray(12)];
  peer.mux.receive(update);
  expect([accepted?.text(), accepted?.stream.emptyUpdateCount]).toEqual(['before', 1]);
  peer.mux.receive(payload);
  expect([accepted?.text(), accepted?.stream.emptyUpdateCount]).toEqual(['before after', 1]);
});

test('an empty window update is a separate frame from one that gives window back', () => {
  const [lone, peer] = [createLoneMux(), createLoneMux({ role: 'client' })];
  const { stream } = peer.open();
  stream.write(Buffer.alloc(FIRST_WINDOW_BYTES));
  for (const chunk of peer.mux.takeOutput(1_000_000)) lone.mux.receive(chunk);
  lone.sent();

  const accepted = lone.accepted[0]?.stream;
  accepted?.consumed(FIRST_WINDOW_BYTES);
  accepted?.sendEmptyUpdate();
  accepted?.write(Buffer.from('answer'));
  const updates = lone.sent().filter(({ type }) => type === windowUpdate);
  expect(updates.map(({ length }) => length > 0)).toEqual([true, false]);
  for (const [n, { length }] of updates.entries()) {
    peer.mux.receive(rawFrame({ type: windowUpdate, streamId: stream.id, length }));
    expect(stream.emptyUpdateCount).toBe(n);
  }
});

test('urgent frames and urgent streams are sent before bulk data that was queued earlier', () => {
  const lone = createLoneMux({ role: 'client' });
  const control = lone.open().stream;
  control.isUrgent = true;
  const bulk = lone.open().stream;
  lone.sent();
  bulk.write(Buffer.alloc(200_000));
  control.write(Buffer.from('hello'));
  lone.mux.receive(rawFrame({ type: ping, flags: flag.syn, length: 1 }));
  lone.mux.receive(rawFrame({ type: data, flags: flag.syn, streamId: 2 }));
  expect(
    lone
      .sent()
      .slice(0, 4)
      .map(({ type, streamId }) => [type, streamId]),
  ).toEqual([
    [ping, 0],
    [windowUpdate, 2],
    [data, control.id],
    [data, bulk.id],
  ]);
});

test('streams take turns of at most 32 KB', () => {
  const lone = createLoneMux();
  const streams = [lone.open().stream, lone.open().stream, lone.open().stream];
  for (const stream of streams) stream.write(Buffer.alloc(80 * 1024));
  const turns = lone.sent().map(({ streamId, length }) => [streamId, length]);
  const [first, second, third] = streams.map(({ id }) => id);
  expect(turns).toEqual(
    [32, 32, 16].flatMap((kilobytes) => [first, second, third].map((id) => [id, kilobytes * 1024])),
  );
});

test('takeOutput with little room returns one turn at a time, and onOutput is called once until all is taken', () => {
  const lone = createLoneMux();
  const { stream } = lone.open();
  stream.write(Buffer.alloc(100 * 1024));
  const sizes: number[] = [];
  while (lone.mux.hasOutput) sizes.push(Buffer.concat(lone.mux.takeOutput(1)).length - 12);
  expect(sizes).toEqual([32, 32, 32, 4].map((kilobytes) => kilobytes * 1024));
  expect(lone.outputCount()).toBe(1);
  stream.write(Buffer.alloc(1));
  expect(lone.outputCount()).toBe(2);
});

test('a large chunk is sent uncopied, small ones in one buffer', () => {
  const lone = createLoneMux();
  const { stream } = lone.open();
  const large = Buffer.alloc(20_000, 'l');
  stream.write(large);
  const buffers = lone.mux.takeOutput(1e6);
  expect(buffers.map((buffer) => [buffer.length, buffer.buffer === large.buffer])).toEqual([
    [12, false],
    [20_000, true],
  ]);
  for (let i = 0; i < 10; i++) lone.open().stream.write(Buffer.alloc(50));
  expect(lone.mux.takeOutput(1e6).map(({ length }) => length)).toEqual([620]);
});

test('a reset drops queued data and is sent to the peer', () => {
  const lone = createLoneMux();
  const { stream, seen } = lone.open();
  lone.sent();
  stream.write(Buffer.alloc(50_000));
  stream.reset();
  expect(lone.sent().map(({ flags, length }) => [flags, length])).toEqual([[flag.rst, 0]]);
  expect([seen, lone.mux.streamCount, stream.write(Buffer.from('x'))]).toEqual([[], 0, true]);
  expect(lone.mux.hasOutput).toBe(false);
});

test('resetWhenSent sends the reset after all queued data, then calls onReset', () => {
  const lone = createLoneMux();
  const { stream, seen } = lone.open();
  stream.write(Buffer.alloc(FIRST_WINDOW_BYTES + 10));
  stream.resetWhenSent();
  expect(() => stream.write(Buffer.alloc(1))).toThrow('write after end');
  expect(stream.isWritable).toBe(false);
  expect(sumOfData(lone.sent())).toBe(FIRST_WINDOW_BYTES);
  expect([seen, stream.isClosed]).toEqual([[], false]);
  lone.mux.receive(rawFrame({ type: windowUpdate, streamId: stream.id, length: 100 }));
  expect(lone.sent().map(({ flags, length }) => [flags, length])).toEqual([[0, 10]]);
  expect([seen, stream.isClosed, lone.mux.streamCount]).toEqual([['reset'], true, 0]);
  expect(lone.sent().map(({ flags, length }) => [flags, length])).toEqual([[flag.rst, 0]]);
});

test('resetWhenSent with an empty queue resets at once; any other reset overtakes a waiting one', () => {
  const lone = createLoneMux();
  const [idle, other, third] = [lone.open(), lone.open(), lone.open()];
  lone.sent();
  idle.stream.resetWhenSent();
  expect([idle.seen, idle.stream.isClosed]).toEqual([['reset'], true]);
  for (const { stream } of [other, third]) {
    stream.write(Buffer.alloc(1000));
    stream.resetWhenSent();
  }
  other.stream.reset();
  lone.mux.receive(rawFrame({ type: windowUpdate, flags: flag.rst, streamId: third.stream.id }));
  expect([other.seen, third.seen]).toEqual([[], ['reset']]);
  expect(sumOfData(lone.sent())).toBe(0);
  expect([other.seen, third.seen]).toEqual([[], ['reset']]);
});

test('resetWhenSent sends the reset after an end that was queued before', () => {
  const lone = createLoneMux();
  const { stream, seen } = lone.open();
  stream.write(Buffer.alloc(10));
  stream.end();
  stream.resetWhenSent();
  expect(lone.sent().map(({ flags }) => flags)).toEqual([flag.syn, flag.fin]);
  expect(lone.sent().map(({ flags }) => flags)).toEqual([flag.rst]);
  expect(seen).toEqual(['reset']);
});

test('a stream that is reset before its SYN is sent is never sent, and later output calls onOutput', () => {
  const lone = createLoneMux();
  lone.open().stream.reset();
  expect([lone.mux.hasOutput, lone.mux.streamCount]).toEqual([false, 0]);
  lone.open();
  expect([lone.outputCount(), lone.sent().map(({ streamId }) => streamId)]).toEqual([2, [4]]);
});

test('when the peer resets the only stream with output, later output calls onOutput', () => {
  const lone = createLoneMux();
  const { stream } = lone.open();
  stream.write(Buffer.alloc(10));
  lone.sent();
  stream.write(Buffer.alloc(10));
  lone.mux.receive(rawFrame({ type: frameType.windowUpdate, flags: flag.rst, streamId: stream.id }));
  expect(lone.mux.hasOutput).toBe(false);
  lone.open();
  expect(lone.outputCount()).toBe(3);
});

test('thousands of streams that are reset while no output is taken leave only their resets', () => {
  const lone = createLoneMux();
  for (let i = 0; i < 5000; i++) {
    const { stream } = lone.open();
    stream.write(Buffer.alloc(10));
    stream.reset();
  }
  expect([lone.mux.streamCount, lone.mux.hasOutput]).toEqual([0, false]);
});

test('writing after end throws', () => {
  const { stream } = createLoneMux().open();
  stream.end();
  stream.end();
  expect(() => stream.write(Buffer.from('x'))).toThrow('write after end');
});

test('giving back more window than was delivered throws', () => {
  const lone = createLoneMux();
  const bytes = rawFrame({ type: data, flags: flag.syn, streamId: 1, payload: Buffer.alloc(100) });
  lone.mux.receive(bytes.subarray(0, 62));
  const stream = lone.accepted[0]?.stream;
  expect(() => stream?.consumed(51)).toThrow('consumed 51 of 50');
  stream?.consumed(50);
  expect(() => stream?.consumed(1)).toThrow('consumed 1 of 0');
});

test('the window is given back when half is free, and not after the end of the peer', () => {
  const lone = createLoneMux();
  lone.mux.receive(rawFrame({ type: data, flags: flag.syn, streamId: 1, payload: Buffer.alloc(200_000) }));
  lone.sent();
  const stream = lone.accepted[0]?.stream;
  lone.clock.monotonicMs = 1000;
  stream?.consumed(FIRST_WINDOW_BYTES / 2 - 1);
  expect(lone.mux.hasOutput).toBe(false);
  stream?.consumed(1);
  const update = lone.sent().find(({ type }) => type === windowUpdate);
  expect(update?.length).toBe(FIRST_WINDOW_BYTES / 2);
  lone.mux.receive(rawFrame({ type: data, flags: flag.fin, streamId: 1, payload: Buffer.alloc(150_000) }));
  stream?.consumed(200_000 + 150_000 - FIRST_WINDOW_BYTES / 2);
  expect(lone.mux.hasOutput).toBe(false);
});

test('a window that is used within two round trips grows', async () => {
  const lone = createLoneMux();
  const waiting = lone.mux.ping();
  const [sentPing] = lone.sent();
  lone.clock.monotonicMs = 100;
  lone.mux.receive(rawFrame({ type: ping, flags: flag.ack, length: sentPing?.length ?? 0 }));
  expect([await waiting, lone.mux.rttMs]).toEqual([100, 100]);

  lone.mux.receive(rawFrame({ type: data, flags: flag.syn, streamId: 1, payload: Buffer.alloc(FIRST_WINDOW_BYTES) }));
  lone.clock.monotonicMs = 299;
  lone.accepted[0]?.stream.consumed(FIRST_WINDOW_BYTES);
  expect(lone.sent().map(({ length }) => length)).toEqual([2 * FIRST_WINDOW_BYTES]);
});

test('growing windows share the budget of the process, and closing gives it back', () => {
  const windowBudget = new WindowBudget(2 * FIRST_WINDOW_BYTES);
  const muxes = [createLoneMux({ windowBudget }), createLoneMux({ windowBudget })];
  const updates = muxes.map((lone) => {
    lone.mux.receive(rawFrame({ type: data, flags: flag.syn, streamId: 1, payload: Buffer.alloc(FIRST_WINDOW_BYTES) }));
    lone.accepted[0]?.stream.consumed(FIRST_WINDOW_BYTES);
    return lone.sent().find(({ type }) => type === windowUpdate)?.length;
  });
  expect(updates).toEqual([2 * FIRST_WINDOW_BYTES, FIRST_WINDOW_BYTES]);
  expect(windowBudget.freeBytes).toBe(FIRST_WINDOW_BYTES);
  muxes[0]?.mux.close();
  expect(windowBudget.freeBytes).toBe(2 * FIRST_WINDOW_BYTES);
});

test('the streams of one connection share its budget', () => {
  const lone = createLoneMux({ limits: { maxGrownWindowBytes: 2 * FIRST_WINDOW_BYTES } });
  const updates = [1, 3].map((streamId) => {
    lone.mux.receive(rawFrame({ type: data, flags: flag.syn, streamId, payload: Buffer.alloc(FIRST_WINDOW_BYTES) }));
    lone.accepted.at(-1)?.stream.consumed(FIRST_WINDOW_BYTES);
    return lone.sent().find(({ type }) => type === windowUpdate)?.length;
  });
  expect(updates).toEqual([2 * FIRST_WINDOW_BYTES, FIRST_WINDOW_BYTES]);
});

test('with a long round trip a stream doubles its rate with every round trip', () => {
  const way = createLongWay(50);
  const sender = createLoneMux({ monotonicMs: () => way.monotonicMs });
  const receiver = createLoneMux({
    role: 'client',
    monotonicMs: () => way.monotonicMs,
    onStream: (stream) => ({
      onData(chunk) {
        way.receivedBytes += chunk.length;
        stream.consumed(chunk.length);
      },
      onEnd() {},
      onReset() {},
      onDrain() {},
    }),
  });
  const chunk = Buffer.alloc(64 * 1024);
  const stream = sender.mux.openStream({ onData() {}, onEnd() {}, onReset() {}, onDrain: pump });
  function pump(): void {
    while (stream.write(chunk));
  }
  pump();
  const bytesByRoundTrip = Array.from({ length: 10 }, () => way.run(100, sender.mux, receiver.mux));
  // The first round trip carries the initial window. The round trip time is known after the second.
  const leastBytes = [0.25, 0.25, 0.5, 1, 2, 4, 8, 16, 16, 16].map((megabytes) => megabytes * 1024 * 1024);
  expect(bytesByRoundTrip.every((bytes, index) => bytes >= (leastBytes[index] ?? 0))).toBe(true);
});

test('closing resets every stream and then calls onClose once', () => {
  const order: string[] = [];
  const lone = createLoneMux({ onClose: () => order.push('close') });
  const events = { onData() {}, onEnd() {}, onDrain() {}, onReset: () => order.push('reset') };
  lone.mux.openStream(events);
  lone.mux.openStream(events);
  lone.mux.close();
  lone.mux.close(new Error('again'));
  lone.mux.receive(rawFrame({ type: ping, flags: flag.syn }));
  expect(order).toEqual(['reset', 'reset', 'close']);
  expect(() => lone.open()).toThrow('closed');
  expect(lone.sent().map(({ type, length }) => [type, length])).toEqual([[goAway, 0]]);
  return expect(lone.mux.ping()).rejects.toThrow('closed');
});

test('an error in a callback closes the mux and resets the other streams', () => {
  const lone = createLoneMux();
  const bug = new Error('bug');
  const { seen } = lone.open();
  lone.mux.openStream({
    onData() {
      throw bug;
    },
    onEnd() {},
    onDrain() {},
    onReset() {
      throw new Error('another');
    },
  });
  const last = lone.open();
  lone.mux.receive(rawFrame({ type: data, streamId: 4, payload: Buffer.from('x') }));
  expect([lone.closes, seen, last.seen]).toEqual([[bug], ['reset'], ['reset']]);
});

test('closeWhenSent closes after the last queued byte was taken', () => {
  const lone = createLoneMux();
  const { stream, seen } = lone.open();
  stream.write(Buffer.alloc(60_000));
  lone.mux.closeWhenSent();
  lone.mux.takeOutput(1);
  lone.mux.takeOutput(1);
  expect(lone.closes).toEqual([]);
  expect(sumOfData(lone.sent())).toBe(60_000 - 32 * 1024);
  expect([lone.closes, seen]).toEqual([[undefined], ['reset']]);
});

test('the events of a stream may be replaced, as pooled streams need', () => {
  const lone = createLoneMux();
  const first = lone.open();
  const second = lone.open();
  first.stream.events = second.stream.events;
  lone.mux.receive(rawFrame({ type: data, streamId: first.stream.id, payload: Buffer.from('for the second') }));
  expect([first.text(), second.text()]).toEqual(['', 'for the second']);
});

test('lastReceivedAtMs is the time of the last byte', () => {
  const lone = createLoneMux();
  lone.clock.monotonicMs = 77;
  expect(lone.mux.lastReceivedAtMs).toBe(0);
  lone.mux.receive(Buffer.of(0));
  expect(lone.mux.lastReceivedAtMs).toBe(77);
});

test('own streams beyond the limit are refused until one has ended', () => {
  const lone = createLoneMux({ limits: { maxStreams: 1 } });
  const { stream } = lone.open();
  expect(() => lone.open()).toThrow('1 streams are open');
  stream.reset();
  expect(lone.open().stream.id).toBe(4);
});

/** A connection with unlimited bandwidth and a delay of `delayMs` in each direction, on its own clock. */
function createLongWay(delayMs: number) {
  const underWay: { dueMs: number; to: Mux; bytes: Buffer }[] = [];
  const way = {
    monotonicMs: 0,
    receivedBytes: 0,
    /** Advances the clock and returns the bytes received meanwhile. */
    run(durationMs: number, near: Mux, far: Mux): number {
      const before = way.receivedBytes;
      for (const endMs = way.monotonicMs + durationMs; way.monotonicMs < endMs; way.monotonicMs++) {
        while (underWay[0] !== undefined && underWay[0].dueMs <= way.monotonicMs) {
          const { to, bytes } = underWay.shift() as (typeof underWay)[number]; // seen on the line above
          to.receive(bytes);
        }
        for (const [from, to] of [
          [near, far],
          [far, near],
        ] as const) {
          while (from.hasOutput)
            underWay.push({ dueMs: way.monotonicMs + delayMs, to, bytes: Buffer.concat(from.takeOutput(256 * 1024)) });
        }
      }
      return way.receivedBytes - before;
    },
  };
  return way;
}

function sumOfData(frames: RawFrame[]): number {
  return frames.filter(({ type }) => type === data).reduce((sum, { length }) => sum + length, 0);
}
