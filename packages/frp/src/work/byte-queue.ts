/** Chunks below this are joined: each costs memory of its own. */
const SMALL_BYTES = 2_048;

/** Bytes that have come and are not used yet. What is taken is copied only where a chunk's end has cut it. */
export class ByteQueue {
  #chunks: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Buffer): void {
    this.#length += chunk.length;
    const last = this.#chunks.at(-1);
    const isSmall = last !== undefined && last.length + chunk.length < SMALL_BYTES;
    if (isSmall) this.#chunks[this.#chunks.length - 1] = Buffer.concat([last, chunk]);
    else if (chunk.length > 0) this.#chunks.push(chunk);
  }

  /** The first so many bytes, which stay; undefined while fewer have come. */
  peek(bytes: number): Buffer | undefined {
    if (this.#length < bytes) return undefined;
    const [first] = this.#chunks;
    if (first === undefined || first.length < bytes) this.#joinFirst(bytes);
    return this.#chunks[0]?.subarray(0, bytes);
  }

  /** The first so many bytes, which are removed; undefined while fewer have come. */
  take(bytes: number): Buffer | undefined {
    const taken = this.peek(bytes);
    if (taken === undefined) return undefined;
    this.#length -= bytes;
    const left = this.#chunks[0]?.subarray(bytes);
    if (left === undefined || left.length === 0) this.#chunks.shift();
    else this.#chunks[0] = left;
    return taken;
  }

  /** Joins as many chunks as these bytes need. */
  #joinFirst(bytes: number): void {
    let count = 0;
    for (let found = 0; found < bytes; count++) found += this.#chunks[count]?.length ?? bytes;
    this.#chunks.unshift(Buffer.concat(this.#chunks.splice(0, count)));
  }
}
