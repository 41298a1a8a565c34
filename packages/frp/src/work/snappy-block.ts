import { FrpError } from '../frp-error.ts';

/** Of one block, uncompressed: the limit of the framing format. */
export const MAX_BLOCK_BYTES = 65_536;
const MAX_VARINT_BYTES = 5;

/** Decompresses one block of snappy. Throws FrpError. */
export function decodeSnappyBlock(block: Buffer): Buffer {
  const { length, at } = readLength(block);
  const out = Buffer.allocUnsafe(length);
  let from = at;
  let to = 0;
  while (from < block.length) {
    const tag = byteAt(block, from++);
    const kind = tag & 3;
    if (kind === 0) {
      let bytes = (tag >> 2) + 1;
      if (bytes > 60) {
        const lengthBytes = bytes - 60;
        bytes = readLittleEndian(block, from, lengthBytes) + 1;
        from += lengthBytes;
      }
      if (bytes > block.length - from || bytes > length - to) throw new FrpError('a literal beyond its snappy block');
      block.copy(out, to, from, from + bytes);
      from += bytes;
      to += bytes;
      continue;
    }
    const offsetBytes = kind === 3 ? 4 : kind;
    const bytes = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const low = readLittleEndian(block, from, offsetBytes);
    const offset = kind === 1 ? ((tag >> 5) << 8) | low : low;
    from += offsetBytes;
    if (offset === 0 || offset > to || bytes > length - to) throw new FrpError('a copy beyond its snappy block');
    // A copy may overlap itself. It has at most 64 bytes, for which a loop is the fastest.
    for (const end = to + bytes; to < end; to++) out[to] = out[to - offset] ?? 0;
  }
  if (to !== length) throw new FrpError(`a snappy block of ${to} bytes in place of ${length}`);
  return out;
}

function readLength(block: Buffer): { length: number; at: number } {
  let length = 0;
  for (let at = 0; at < MAX_VARINT_BYTES; at++) {
    const byte = byteAt(block, at);
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (byte >= 0x80) continue;
    if (length > MAX_BLOCK_BYTES) break;
    return { length, at: at + 1 };
  }
  throw new FrpError('a snappy block that is too long');
}

function readLittleEndian(block: Buffer, at: number, bytes: number): number {
  if (at + bytes > block.length) throw new FrpError('a snappy block that is cut off');
  return block.readUIntLE(at, bytes);
}

function byteAt(block: Buffer, at: number): number {
  const byte = block[at];
  if (byte === undefined) throw new FrpError('a snappy block that is cut off');
  return byte;
}
