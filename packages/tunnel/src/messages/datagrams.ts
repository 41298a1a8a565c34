/**
 * UDP on a stream, both ways: each datagram is a u16 big-endian length and that many bytes. A length of zero is a
 * datagram too. What UDP can carry (65 507 bytes over IPv4, 65 527 over IPv6) always fits.
 */

const LENGTH_BYTES = 2;
const MAX_DATAGRAM_BYTES = 0xffff;

/** Encodes a datagram for a stream. Throws RangeError for one that is longer than UDP allows. */
export function encodeDatagram(datagram: Uint8Array): Buffer {
  if (datagram.length > MAX_DATAGRAM_BYTES) throw new RangeError(`datagram of ${datagram.length} bytes`);
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + datagram.length);
  bytes.writeUInt16BE(datagram.length, 0);
  bytes.set(datagram, LENGTH_BYTES);
  return bytes;
}

/** Turns the bytes of a stream, cut anywhere, into datagrams. Holds a part of one datagram, at most 64 KB. */
export class DatagramDecoder {
  /** The first byte of a length whose second byte has not arrived. */
  #lengthBegun: number | undefined;
  #partial: Buffer | undefined;
  #partialBytes = 0;

  /** Returns the completed datagrams. They may share memory with the chunk. */
  push(chunk: Buffer): Buffer[] {
    const datagrams: Buffer[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.#partial === undefined) {
        const lengthEnd = at + (this.#lengthBegun === undefined ? LENGTH_BYTES : 1);
        const length = this.#takeLength(chunk, at);
        at = lengthEnd;
        if (length === undefined) break;
        if (at + length <= chunk.length) {
          datagrams.push(chunk.subarray(at, at + length));
          at += length;
          continue;
        }
        this.#partial = Buffer.allocUnsafe(length);
        this.#partialBytes = 0;
      }
      const copiedBytes = chunk.copy(this.#partial, this.#partialBytes, at);
      at += copiedBytes;
      this.#partialBytes += copiedBytes;
      if (this.#partialBytes < this.#partial.length) break;
      datagrams.push(this.#partial);
      this.#partial = undefined;
    }
    return datagrams;
  }

  /** Undefined when only the first byte of the length has arrived. */
  #takeLength(chunk: Buffer, at: number): number | undefined {
    const begun = this.#lengthBegun;
    this.#lengthBegun = undefined;
    if (begun !== undefined) return begun * 256 + chunk.readUInt8(at);
    if (chunk.length - at >= LENGTH_BYTES) return chunk.readUInt16BE(at);
    this.#lengthBegun = chunk.readUInt8(at);
    return undefined;
  }
}
