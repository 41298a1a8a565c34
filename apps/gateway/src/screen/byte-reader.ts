import type { Duplex } from 'node:stream';
import { TargetError } from '../session/live-session.ts';

/** Reads known numbers of bytes from the beginning of a stream. What is not read stays in the stream. */
export class ByteReader {
  readonly #stream: Duplex;

  constructor(stream: Duplex) {
    this.#stream = stream;
  }

  /** Rejects with the stream's error, or with a TargetError `closed` when it ends before. */
  async read(count: number): Promise<Buffer> {
    if (count === 0) return Buffer.alloc(0);
    for (;;) {
      // Undecoded, because no encoding is set. At the end a stream returns what is left of it.
      const bytes = this.#stream.read(count) as Buffer | null;
      if (bytes?.length === count) return bytes;
      if (bytes !== null || this.#stream.readableEnded || this.#stream.destroyed) throw this.#error();
      await this.#readable();
    }
  }

  #error(): Error {
    return this.#stream.errored ?? new TargetError('closed');
  }

  async #readable(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const events = ['readable', 'end', 'close', 'error'] as const;
    for (const event of events) this.#stream.on(event, wake);
    await promise;
    for (const event of events) this.#stream.off(event, wake);
  }
}
