import { FrpError } from '../frp-error.ts';
import { ByteQueue } from './byte-queue.ts';
import { maskedCrc32c } from './crc32c.ts';
import { decodeSnappyBlock, MAX_BLOCK_BYTES } from './snappy-block.ts';

/** The chunk that a stream begins with. */
const STREAM_BEGIN = Buffer.from([0xff, 6, 0, 0, ...Buffer.from('sNaPpY')]);
const chunkType = { compressed: 0, plain: 1, firstSkippable: 0x80, begin: 0xff } as const;
const HEADER_BYTES = 4;
const CHECKSUM_BYTES = 4;
/** What snappy makes of a block that cannot be compressed. */
const MAX_COMPRESSED_BYTES = 32 + MAX_BLOCK_BYTES + Math.floor(MAX_BLOCK_BYTES / 6);

/**
 * The framing format of snappy, one direction each. Only what comes is compressed: what is sent stays as it is, in the chunks
 * that the format has for that. Checksums are sent and not checked, as TLS has done that.
 */
export class SnappyStream {
  readonly #received = new ByteQueue();
  #hasSent = false;
  #hasBegun = false;

  encode(plain: Buffer): Buffer {
    const parts: Buffer[] = this.#hasSent ? [] : [STREAM_BEGIN];
    this.#hasSent = true;
    for (let at = 0; at < plain.length; at += MAX_BLOCK_BYTES) {
      const piece = plain.subarray(at, at + MAX_BLOCK_BYTES);
      const header = Buffer.allocUnsafe(HEADER_BYTES + CHECKSUM_BYTES);
      header.writeUInt8(chunkType.plain, 0);
      header.writeUIntLE(CHECKSUM_BYTES + piece.length, 1, 3);
      header.writeUInt32LE(maskedCrc32c(piece), HEADER_BYTES);
      parts.push(header, piece);
    }
    return Buffer.concat(parts);
  }

  push(bytes: Buffer): void {
    this.#received.push(bytes);
  }

  /** The next block and the bytes that it took of those pushed; undefined until more have come. Throws FrpError. */
  next(): { plain: Buffer; bytes: number } | undefined {
    const header = this.#received.peek(HEADER_BYTES);
    if (header === undefined) return undefined;
    const type = header.readUInt8(0);
    const length = header.readUIntLE(1, 3);
    if (!this.#hasBegun && type !== chunkType.begin) throw new FrpError('not a snappy stream');
    // Before it is waited for: a chunk that is too long would fill our memory.
    if (length > CHECKSUM_BYTES + MAX_COMPRESSED_BYTES) throw new FrpError(`a snappy chunk of ${length} bytes`);
    const chunk = this.#received.take(HEADER_BYTES + length);
    if (chunk === undefined) return undefined;
    this.#hasBegun = true;
    return { plain: readChunk(type, chunk), bytes: chunk.length };
  }
}

function readChunk(type: number, chunk: Buffer): Buffer {
  const body = chunk.subarray(HEADER_BYTES + CHECKSUM_BYTES);
  if (type === chunkType.begin && !chunk.equals(STREAM_BEGIN)) throw new FrpError('not a snappy stream');
  if (type >= chunkType.firstSkippable) return Buffer.alloc(0);
  if (chunk.length < HEADER_BYTES + CHECKSUM_BYTES) throw new FrpError('a snappy chunk without a checksum');
  if (type === chunkType.compressed) return decodeSnappyBlock(body);
  if (type !== chunkType.plain) throw new FrpError(`a snappy chunk of type ${type}`);
  if (body.length > MAX_BLOCK_BYTES) throw new FrpError(`a plain snappy chunk of ${body.length} bytes`);
  return body;
}
