import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { createLoneMux, type LoneMux, rawFrame, type RawFrame } from '../testing/lone-mux.ts';
import { FIRST_WINDOW_BYTES } from './flow-control.ts';
import { flag, frameType, goAwayCode, HEADER_BYTES } from './frame.ts';

const { data, windowUpdate, ping, goAway } = frameType;
const { syn, ack, fin, rst } = flag;

function receive(lone: LoneMux, ...frames: (Partial<RawFrame> & { type: number })[]): void {
  lone.mux.receive(Buffer.concat(frames.map(rawFrame)));
}

describe('what no peer may send closes the mux and frees everything', () => {
  const open = { type: windowUpdate, flags: syn, streamId: 1 };
  test.each<[string, (Partial<RawFrame> & { type: number })[]]>([
    ['a type that does not exist', [{ type: 9 }]],
    ['data on stream 0', [{ type: data, streamId: 0, payload: Buffer.from('x') }]],
    ['a window update on stream 0', [{ type: windowUpdate, streamId: 0, length: 5 }]],
    ['a ping on a stream', [{ type: ping, flags: syn, streamId: 1 }]],
    ['a ping with no direction', [{ type: ping, flags: 0 }]],
    ['a ping in both directions', [{ type: ping, flags: syn | ack }]],
    ['a ping reply that nobody asked for', [{ type: ping, flags: ack, length: 7 }]],
    ['a goaway on a stream', [{ type: goAway, streamId: 1 }]],
    ['a stream with an id that is ours to give', [{ type: data, flags: syn, streamId: 2 }]],
    ['the same stream opened twice', [open]],
    ['data beyond the window', [{ type: data, streamId: 1, length: FIRST_WINDOW_BYTES + 1 }]],
    ['data for a stream that never was', [{ type: data, streamId: 5, payload: Buffer.from('x') }]],
    ['a window of more than 32 bits', [{ type: windowUpdate, streamId: 1, length: 0xffff_ffff }]],
    [
      'data after the end',
      [
        { type: data, flags: fin, streamId: 1 },
        { type: data, streamId: 1, payload: Buffer.from('x') },
      ],
    ],
    [
      'two ends',
      [
        { type: data, flags: fin, streamId: 1 },
        { type: windowUpdate, flags: fin, streamId: 1 },
      ],
    ],
  ])('%s', (_what, frames) => {
    const lone = createLoneMux();
    receive(lone, open);
    const own = lone.open();
    own.stream.write(Buffer.alloc(100_000));
    const waiting = lone.mux.ping();

    receive(lone, ...frames);

    expect(lone.closes).toEqual([expect.any(ProtocolError)]);
    expect([lone.mux.isClosed, lone.mux.streamCount]).toEqual([true, 0]);
    expect([lone.accepted[0]?.seen.at(-1), own.seen]).toEqual(['reset', ['reset']]);
    expect([own.stream.queuedBytes, own.stream.isClosed, own.stream.isWritable]).toEqual([0, true, false]);
    expect(lone.sent()).toEqual([expect.objectContaining({ type: goAway, length: goAwayCode.protocolError })]);
    expect(lone.mux.hasOutput).toBe(false);
    return expect(waiting).rejects.toThrow('closed');
  });
});

test('a stream may be opened by data or a window update, also with bytes, an end or a reset in the same frame', () => {
  const lone = createLoneMux();
  receive(
    lone,
    { type: data, flags: syn, streamId: 1, payload: Buffer.from('at once') },
    { type: windowUpdate, flags: syn, streamId: 3, length: 1000 },
    { type: data, flags: syn | fin, streamId: 5, payload: Buffer.from('all') },
    { type: windowUpdate, flags: syn | rst, streamId: 7 },
    { type: data, flags: syn | rst, streamId: 9 },
  );
  expect(lone.accepted.map(({ text }) => text())).toEqual(['at once', '', 'all', '', '']);
  expect(lone.accepted.map(({ seen }) => seen)).toEqual([[], [], ['end'], ['reset'], ['reset']]);
  expect(lone.mux.streamCount).toBe(3);
  expect(lone.sent().map(({ flags, streamId }) => [flags, streamId])).toEqual([
    [ack, 1],
    [ack, 3],
    [ack, 5],
  ]);
});

test('an ACK is sent with the first data if there is some', () => {
  const lone = createLoneMux();
  receive(lone, { type: windowUpdate, flags: syn, streamId: 1 });
  lone.accepted[0]?.stream.write(Buffer.from('reply'));
  expect(lone.sent()).toEqual([{ type: data, flags: ack, streamId: 1, length: 5, payload: Buffer.from('reply') }]);
});

test('the first bytes of an own stream are sent with its SYN', () => {
  const lone = createLoneMux({ role: 'client' });
  const { stream } = lone.open();
  stream.write(Buffer.from('he'));
  stream.write(Buffer.from('llo'));
  stream.end();
  expect(lone.sent()).toEqual([
    { type: data, flags: syn, streamId: 1, length: 5, payload: Buffer.from('hello') },
    { type: windowUpdate, flags: fin, streamId: 1, length: 0, payload: Buffer.alloc(0) },
  ]);
});

test('streams may be opened out of order, but no id twice', () => {
  const lone = createLoneMux();
  receive(lone, { type: data, flags: syn, streamId: 7 }, { type: data, flags: syn, streamId: 3 });
  receive(lone, { type: data, flags: rst, streamId: 3 });
  expect(lone.closes).toEqual([]);
  receive(lone, { type: data, flags: syn, streamId: 3 });
  expect(lone.closes).toEqual([expect.any(ProtocolError)]);
});

test('skipping most ids costs neither time nor memory, and a skipped id may be opened once', () => {
  const lone = createLoneMux();
  for (const streamId of [0xffff_ffff, 0xffff_fffd, 1]) receive(lone, { type: data, flags: syn, streamId });
  expect([lone.mux.streamCount, lone.closes]).toEqual([3, []]);
  receive(lone, { type: data, flags: rst, streamId: 1 }, { type: data, flags: syn, streamId: 1 });
  expect(lone.closes).toEqual([expect.any(ProtocolError)]);
});

test('bytes in flight to a stream that we reset are ignored, more are refused', () => {
  const lone = createLoneMux();
  receive(lone, { type: data, flags: syn, streamId: 1, payload: Buffer.alloc(1000) });
  lone.accepted[0]?.stream.reset();
  receive(lone, { type: data, streamId: 1, payload: Buffer.alloc(FIRST_WINDOW_BYTES - 1000) });
  receive(lone, { type: windowUpdate, streamId: 1, length: 5 }, { type: windowUpdate, flags: fin, streamId: 1 });
  expect([lone.closes, lone.accepted[0]?.chunks.length]).toEqual([[], 1]);
  receive(lone, { type: data, streamId: 1, payload: Buffer.alloc(1) });
  expect(lone.closes).toEqual([expect.any(ProtocolError)]);
});

test('a stream reset in the middle of a frame receives no more of it', () => {
  const lone = createLoneMux();
  const bytes = rawFrame({ type: data, flags: syn | fin, streamId: 1, payload: Buffer.alloc(1000) });
  lone.mux.receive(bytes.subarray(0, 500));
  lone.accepted[0]?.stream.reset();
  lone.mux.receive(bytes.subarray(500));
  receive(lone, { type: ping, flags: syn, length: 42 });
  expect(Buffer.concat(lone.accepted[0]?.chunks ?? [])).toHaveLength(500 - 12);
  expect([lone.accepted[0]?.seen, lone.closes]).toEqual([[], []]);
  expect(lone.sent().map(({ type, flags }) => [type, flags])).toEqual([
    [windowUpdate, rst],
    [ping, ack],
  ]);
});

test('streams beyond the limit are reset, the others continue', () => {
  const lone = createLoneMux({ limits: { maxStreams: 2 } });
  for (const streamId of [1, 3, 5]) receive(lone, { type: data, flags: syn, streamId, payload: Buffer.from('x') });
  expect([lone.accepted.length, lone.closes]).toEqual([2, []]);
  expect(lone.sent()).toContainEqual(expect.objectContaining({ flags: rst, streamId: 5 }));
});

test('after our GoAway the peer opens no streams, and open streams continue', () => {
  const lone = createLoneMux();
  receive(lone, { type: data, flags: syn, streamId: 1 });
  lone.mux.goAway();
  receive(lone, { type: data, flags: syn, streamId: 3 }, { type: data, streamId: 1, payload: Buffer.from('on') });
  expect(lone.accepted.map(({ text }) => text())).toEqual(['on']);
  expect(lone.sent().map(({ type, flags, streamId }) => [type, flags, streamId])).toEqual([
    [goAway, 0, 0],
    [windowUpdate, rst, 3],
    [windowUpdate, ack, 1],
  ]);
});

test('after the GoAway of the peer we open no streams, and open streams continue', () => {
  const lone = createLoneMux();
  const { stream } = lone.open();
  receive(lone, { type: goAway, length: goAwayCode.normal });
  expect(lone.mux.isPeerGoingAway).toBe(true);
  expect(() => lone.open()).toThrow('no new streams');
  expect(stream.isWritable).toBe(true);
});

test('a GoAway with an error code ends the mux', () => {
  const lone = createLoneMux();
  const { seen } = lone.open();
  receive(lone, { type: goAway, length: goAwayCode.internalError });
  expect([seen, lone.closes]).toEqual([['reset'], [expect.objectContaining({ name: 'MuxClosedError' })]]);
});

test('pings are answered with their value', () => {
  const lone = createLoneMux();
  receive(lone, { type: ping, flags: syn, length: 0xdead_beef });
  expect(lone.sent()).toEqual([{ type: ping, flags: ack, streamId: 0, length: 0xdead_beef, payload: Buffer.alloc(0) }]);
});

test('a peer that reads the replies to its pings and never confirms them is disconnected before they fill our memory', () => {
  const lone = createLoneMux({ isResumable: true, limits: { maxUrgentBytes: 1200 } });
  for (let replies = 0; replies < 100; replies++) {
    lone.mux.receive(rawFrame({ type: ping, flags: syn, length: 0 }));
    expect(lone.sent().length).toBe(1);
  }
  lone.mux.receive(rawFrame({ type: ping, flags: syn, length: 0 }));
  expect(lone.closes).toEqual([expect.objectContaining({ message: expect.stringContaining('never confirms') })]);
  expect(lone.sent()).toMatchObject([{ type: goAway, length: goAwayCode.protocolError }]);
});

test('a peer that confirms one byte of each reply is disconnected as well', () => {
  const lone = createLoneMux({ isResumable: true, limits: { maxUrgentBytes: 1200 } });
  for (let replies = 0; replies < 200; replies++) {
    lone.mux.receive(rawFrame({ type: ping, flags: syn, length: replies }));
    lone.sent();
  }
  expect(lone.closes).toEqual([expect.objectContaining({ message: expect.stringContaining('never confirms') })]);
});

test('a peer that confirms what it reads may ping for as long as it likes', () => {
  const lone = createLoneMux({ isResumable: true, limits: { maxUrgentBytes: 1200 } });
  for (let replies = 0; replies < 500; replies++) {
    lone.mux.receive(rawFrame({ type: ping, flags: syn, length: replies * HEADER_BYTES }));
    expect(lone.sent().length).toBe(1);
  }
  expect(lone.closes).toEqual([]);
});

test('a peer that pings and does not read is disconnected before its replies fill our memory', () => {
  const lone = createLoneMux({ limits: { maxUrgentBytes: 1200 } });
  const hundredPings = Array.from({ length: 100 }, () => ({ type: ping, flags: syn }));
  receive(lone, ...hundredPings);
  expect(lone.closes).toEqual([]);
  receive(lone, { type: ping, flags: syn });
  expect(lone.closes).toEqual([expect.any(ProtocolError)]);
});

test('any number of empty frames uses no memory', () => {
  const lone = createLoneMux();
  receive(lone, { type: data, flags: syn, streamId: 1 });
  lone.sent();
  const thousand = Buffer.concat(Array.from({ length: 1000 }, () => rawFrame({ type: data, streamId: 1 })));
  for (let i = 0; i < 100; i++) lone.mux.receive(thousand);
  receive(lone, { type: windowUpdate, streamId: 1 });
  expect([lone.accepted[0]?.chunks.length, lone.mux.hasOutput, lone.closes]).toEqual([0, false, []]);
});

test('random bytes never make receive throw', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 64 }), { maxLength: 20 }), (chunks) => {
      const lone = createLoneMux();
      for (const chunk of chunks) lone.mux.receive(Buffer.from(chunk));
      expect(lone.closes.length).toBeLessThanOrEqual(1);
    }),
  );
});

test('random frames never make receive throw, and leave no streams when they end the mux', () => {
  const frame = fc.record({
    type: fc.integer({ min: 0, max: 3 }),
    flags: fc.integer({ min: 0, max: 15 }),
    streamId: fc.integer({ min: 0, max: 9 }),
    length: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff_ffff })),
  });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 60 }), (frames) => {
      const lone = createLoneMux({ limits: { maxStreams: 3 } });
      lone.open();
      for (const { length, ...header } of frames) {
        const payload = header.type === data ? Buffer.alloc(Math.min(length, 2000)) : Buffer.alloc(0);
        receive(lone, { ...header, payload, ...(header.type === data ? {} : { length }) });
      }
      expect(lone.accepted.filter(({ stream }) => !stream.isClosed).length).toBeLessThanOrEqual(3);
      if (!lone.mux.isClosed) return;
      expect([lone.mux.streamCount, lone.closes.length, lone.sent().length]).toEqual([0, 1, 1]);
    }),
    { numRuns: 500 },
  );
});

test('a reset after an end sends the end first, unless data that is dropped precedes it', () => {
  const lone = createLoneMux();
  const flagsAfter = (bytes: number) => {
    const { stream } = lone.open();
    stream.write(Buffer.alloc(1));
    lone.sent();
    stream.write(Buffer.alloc(bytes));
    stream.end();
    stream.reset();
    return lone.sent().map(({ flags }) => flags);
  };
  expect(flagsAfter(0)).toEqual([fin, rst]);
  expect(flagsAfter(1)).toEqual([rst]);
});
