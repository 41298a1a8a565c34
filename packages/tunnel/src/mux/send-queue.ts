import { must } from '@tongtu/base';
import type { OutputBatch } from './output-batch.ts';

const EMPTY = Buffer.alloc(0);

/** Chunks to be sent, in order. Only the batch copies them. */
export class SendQueue {
  #chunks: Buffer[] = [];
  #head = 0;
  #headOffset = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** Moves exactly `bytes` (no more than are queued) to the batch. */
  moveTo(batch: OutputBatch, bytes: number): void {
    this.#bytes -= bytes;
    for (let left = bytes; left > 0;) {
      const chunk = must(this.#chunks[this.#head], 'queued chunk');
      const end = Math.min(chunk.length, this.#headOffset + left);
      batch.addPayload(end - this.#headOffset === chunk.length ? chunk : chunk.subarray(this.#headOffset, end));
      left -= end - this.#headOffset;
      this.#headOffset = end;
      if (end === chunk.length) this.#dropHead();
    }
  }

  clear(): void {
    this.#chunks = [];
    this.#head = 0;
    this.#headOffset = 0;
    this.#bytes = 0;
  }

  #dropHead(): void {
    this.#head += 1;
    this.#headOffset = 0;
    if (this.#head === this.#chunks.length) {
      this.#chunks.length = 0;
      this.#head = 0;
    } else if (this.#head >= 64 && this.#head * 2 >= this.#chunks.length) {
      // Amortised: each chunk is moved at most once for every chunk dropped.
      this.#chunks.splice(0, this.#head);
      this.#head = 0;
    } else {
      this.#chunks[this.#head - 1] = EMPTY; // lets the sent chunk be collected
    }
  }
}
