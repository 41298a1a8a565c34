import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrpError } from '../frp-error.ts';
import { maskedCrc32c } from './crc32c.ts';
import { WorkCodec } from './work-codec.ts';

const token = 'a token of this device';
const codings = [
  { isEncrypted: true, isCompressed: false },
  { isEncrypted: false, isCompressed: true },
  { isEncrypted: true, isCompressed: true },
];
const BEGIN = Buffer.from('ff060000734e61507059', 'hex');

/** What a codec makes of these chunks, and how many of their bytes it has used. */
function decode(codec: WorkCodec, chunks: readonly Buffer[]): { plain: Buffer; bytes: number } {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    codec.push(chunk);
    for (let next = codec.next(); next !== undefined; next = codec.next()) {
      parts.push(next.plain);
      bytes += next.bytes;
    }
  }
  return { plain: Buffer.concat(parts), bytes };
}

function chunk(type: number, body: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32LE(body.length * 256 + type);
  return Buffer.concat([header, body]);
}

/** A compressed chunk with this block. */
const packed = (...block: number[]) => chunk(0, Buffer.from([0, 0, 0, 0, ...block]));

test.each(codings)('bytes arrive as they were, wherever they are cut: %j', (coding) => {
  const said = [Buffer.from('first'), Buffer.alloc(0), Buffer.from('second, and longer'), Buffer.alloc(70_000, 'x')];
  const sender = new WorkCodec({ token, ...coding });
  const sent = Buffer.concat(said.map((part) => sender.encode(part)));
  expect(sent.includes('second')).toBe(!coding.isEncrypted);
  for (const cut of [0, 1, 15, 16, 17, 25, 26, 33, 34, 60, 1_000, sent.length - 1, sent.length]) {
    const received = decode(new WorkCodec({ token, ...coding }), [sent.subarray(0, cut), sent.subarray(cut)]);
    expect(received.bytes).toBe(sent.length);
    expect(received.plain.equals(Buffer.concat(said))).toBe(true);
  }
  const single = Array.from(sent.subarray(0, 200), (byte) => Buffer.from([byte]));
  expect(decode(new WorkCodec({ token, ...coding }), [...single, sent.subarray(200)]).bytes).toBe(sent.length);
});

test('what Go’s snappy has compressed is read: literals, near and far copies, blocks of their own', () => {
  const file = path.join(import.meta.dirname, '../testing/conversations/snappy-stream.json');
  const { stream, sha256 } = JSON.parse(readFileSync(file, 'utf8')) as { stream: string; sha256: string }; // our own file
  const codec = new WorkCodec({ token, isEncrypted: false, isCompressed: true });
  const { plain } = decode(codec, [Buffer.from(stream, 'base64')]);
  expect(createHash('sha256').update(plain).digest('hex')).toBe(sha256);
});

test('the checksum is that of the framing format', () => {
  // The CRC-32C of nine digits is e3069283; the format rotates it and adds a constant.
  expect(maskedCrc32c(Buffer.from('123456789'))).toBe(
    (((0xe3_06_92_83 >>> 15) | (0xe3_06_92_83 << 17)) + 0xa2_82_ea_d8) >>> 0,
  );
});

test.each([
  ['another beginning', chunk(1, Buffer.from('xxxxdata'))],
  ['a wrong beginning', chunk(0xff, Buffer.from('sNaPpX'))],
  ['a chunk that is too long', Buffer.concat([BEGIN, Buffer.from([1, 0xff, 0xff, 0xff])])],
  ['a plain chunk beyond a block', Buffer.concat([BEGIN, chunk(1, Buffer.alloc(65_541))])],
  ['a chunk without a checksum', Buffer.concat([BEGIN, chunk(0, Buffer.from([1, 2]))])],
  ['a chunk of a reserved type', Buffer.concat([BEGIN, chunk(2, Buffer.alloc(8))])],
  ['a block that would be too long', Buffer.concat([BEGIN, packed(0x81, 0x80, 0x04, 0)])],
  ['a block whose length never ends', Buffer.concat([BEGIN, packed(0xff, 0xff, 0xff, 0xff, 0xff, 0xff)])],
  ['a literal beyond the block', Buffer.concat([BEGIN, packed(1, 4, 1, 1)])],
  ['a literal beyond the chunk', Buffer.concat([BEGIN, packed(9, 32, 1)])],
  ['a length that is cut off', Buffer.concat([BEGIN, packed(99, 0xf4, 1)])],
  ['a copy of what is not there', Buffer.concat([BEGIN, packed(8, 0, 1, 0x01, 2)])],
  ['a copy of nothing', Buffer.concat([BEGIN, packed(8, 0, 1, 0x01, 0)])],
  ['a copy beyond the block', Buffer.concat([BEGIN, packed(2, 0, 1, 0x09, 1)])],
  ['a copy that is cut off', Buffer.concat([BEGIN, packed(8, 0, 1, 0x03, 1)])],
  ['a block that is too short', Buffer.concat([BEGIN, packed(3, 0, 1)])],
])('%s is refused', (_what, bytes) => {
  const codec = new WorkCodec({ token, isEncrypted: false, isCompressed: true });
  expect(() => decode(codec, [bytes])).toThrow(FrpError);
});

test('chunks that may be skipped are skipped, and a second beginning is none of the data', () => {
  const codec = new WorkCodec({ token, isEncrypted: false, isCompressed: true });
  const sent = Buffer.concat([BEGIN, chunk(0xfe, Buffer.alloc(100)), chunk(0x80, Buffer.from('x')), BEGIN]);
  expect(decode(codec, [sent, chunk(1, Buffer.from('crc.hello'))]).plain.toString()).toBe('hello');
});

test('whatever comes, a stream is read or refused', () => {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 4, 0xff));
  const chunks = fc.array(fc.tuple(fc.constantFrom(0, 0, 0, 1, 2, 0x80, 0xff), fc.array(byte, { maxLength: 40 })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(chunks, fc.nat(200), (list, cut) => {
      const bytes = Buffer.concat([BEGIN, ...list.map(([type, body]) => chunk(type, Buffer.from(body)))]);
      const codec = new WorkCodec({ token, isEncrypted: false, isCompressed: true });
      try {
        expect(decode(codec, [bytes.subarray(0, cut), bytes.subarray(cut)]).bytes).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect(error).toBeInstanceOf(FrpError);
      }
    }),
  );
});
