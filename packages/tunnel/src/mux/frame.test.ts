import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { rawFrame, readFrames } from '../testing/lone-mux.ts';
import { FrameDecoder, flag, frameType, HEADER_BYTES, writeHeader } from './frame.ts';

test('a header has the layout of the yamux specification', () => {
  const bytes = Buffer.alloc(HEADER_BYTES, 0xff);
  writeHeader(bytes, 0, frameType.windowUpdate, flag.syn | flag.fin, 0x89abcdef, 0xfedcba98);
  expect(bytes.toString('hex')).toBe('00010005' + '89abcdef' + 'fedcba98');
});

test('a frame may be cut at every byte', () => {
  const bytes = rawFrame({ type: frameType.data, flags: flag.fin, streamId: 7, payload: Buffer.from('hello') });
  for (let cut = 0; cut <= bytes.length; cut++) {
    const seen: unknown[] = [];
    const decoder = new FrameDecoder({
      onFrame: (...header) => seen.push(header),
      onPayload: (slice) => seen.push(slice.toString()),
      onPayloadEnd: () => seen.push('end'),
    });
    decoder.push(bytes.subarray(0, cut));
    decoder.push(bytes.subarray(cut));
    const text = seen.filter((item) => typeof item === 'string').join('');
    expect(seen[0]).toEqual([frameType.data, flag.fin, 7, 5]);
    expect(text).toBe('helloend');
  }
});

test('a payload is passed on as slices of the input', () => {
  const chunk = rawFrame({ type: frameType.data, streamId: 1, payload: Buffer.alloc(10_000) });
  const slices: Buffer[] = [];
  const decoder = new FrameDecoder({ onFrame() {}, onPayload: (slice) => slices.push(slice), onPayloadEnd() {} });
  decoder.push(chunk);
  expect(slices.map((slice) => [slice.buffer === chunk.buffer, slice.length])).toEqual([[true, 10_000]]);
});

test('frames without payload end at once', () => {
  let ends = 0;
  const decoder = new FrameDecoder({ onFrame() {}, onPayload() {}, onPayloadEnd: () => (ends += 1) });
  decoder.push(rawFrame({ type: frameType.data, streamId: 1 }));
  decoder.push(rawFrame({ type: frameType.windowUpdate, streamId: 1, length: 100 }));
  expect(ends).toBe(1);
});

test('a stopped decoder ignores the rest of the chunk', () => {
  let frames = 0;
  const decoder = new FrameDecoder({
    onFrame() {
      frames += 1;
      decoder.stop();
    },
    onPayload() {},
    onPayloadEnd: () => (frames += 100),
  });
  decoder.push(Buffer.concat([rawFrame({ type: frameType.data }), rawFrame({ type: frameType.ping })]));
  expect(frames).toBe(1);
});

test.each([
  ['a version that does not exist', Buffer.from('010000000000000000000000', 'hex')],
  ['a type that does not exist', Buffer.from('000400000000000000000000', 'hex')],
  ['a flag that does not exist', Buffer.from('000000100000000000000000', 'hex')],
  ['a flag in the upper byte', Buffer.from('000001000000000000000000', 'hex')],
])('%s is refused', (_what, bytes) => {
  const decoder = new FrameDecoder({ onFrame() {}, onPayload() {}, onPayloadEnd() {} });
  expect(() => decoder.push(bytes)).toThrow(ProtocolError);
});

test('any frames, cut anywhere, are read back', () => {
  const frames = fc.array(
    fc.record({
      type: fc.constant(frameType.data),
      flags: fc.integer({ min: 0, max: 15 }),
      streamId: fc.integer({ min: 0, max: 0xffff_ffff }),
      payload: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sent, cuts) => {
      const bytes = Buffer.concat(sent.map(rawFrame));
      const whole = readFrames(bytes);
      const pieces: unknown[] = [];
      const decoder = new FrameDecoder({
        onFrame: (type, flags, streamId, length) => pieces.push({ type, flags, streamId, length }),
        onPayload: (slice) => pieces.push(...slice),
        onPayloadEnd: () => pieces.push('end'),
      });
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const step = cuts[turn % cuts.length] ?? 1;
        decoder.push(bytes.subarray(at, at + step));
        at += step;
      }
      const expected = whole.flatMap(({ payload, ...header }) => [header, ...payload, 'end']);
      expect(pieces).toEqual(expected);
      expect(whole.map(({ payload }) => payload)).toEqual(sent.map(({ payload }) => payload));
    }),
  );
});
