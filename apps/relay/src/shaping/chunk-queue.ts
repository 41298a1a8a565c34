/** Up to this size a chunk is copied, so that it needs no entry and keeps no larger buffer in memory. */
const GATHER_BYTES = 4096;
const BLOCK_BYTES = 2 * GATHER_BYTES;

/** Waiting bytes in their order. They use about as much memory as they are long, however small the pieces were. */
export class ChunkQueue {
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Where the last block may grow, if the queue made it. */
  #block: Buffer | undefined;
  #blockBytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (chunk.length <= GATHER_BYTES) {
      this.#gather(chunk);
    } else {
      this.#chunks.push(chunk);
      this.#block = undefined;
    }
  }

  /** At most `length` of the first bytes, as far as they are contiguous; undefined when there are none. */
  take(maxBytes: number): Buffer | undefined {
    const [first] = this.#chunks;
    if (first === undefined) return undefined;
    if (this.#chunks.length === 1) this.#block = undefined;
    const isWhole = first.length <= maxBytes;
    if (isWhole) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(maxBytes);
    const piece = isWhole ? first : first.subarray(0, maxBytes);
    this.#bytes -= piece.length;
    return piece;
  }

  clear(): void {
    this.#chunks = [];
    this.#bytes = 0;
    this.#block = undefined;
  }

  #gather(chunk: Buffer): void {
    if (this.#block === undefined || this.#blockBytes + chunk.length > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#blockBytes = 0;
    } else {
      this.#chunks.pop();
    }
    chunk.copy(this.#block, this.#blockBytes);
    this.#blockBytes += chunk.length;
    this.#chunks.push(this.#block.subarray(0, this.#blockBytes));
  }
}
