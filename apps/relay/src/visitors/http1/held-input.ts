/** How much is read of a visitor that pipelines requests. */
const MAX_HELD_BYTES = 64 * 1024;

/** Bytes that arrived before their turn. */
export class HeldInput {
  #chunks: Buffer[] = [];
  #bytes = 0;

  get isFull(): boolean {
    return this.#bytes >= MAX_HELD_BYTES;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  take(): Buffer | undefined {
    if (this.#bytes === 0) return undefined;
    const held = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    return held;
  }
}
