import { Duplex } from 'node:stream';
import type { RefusedStatus, TargetEvents, TargetStream } from './target-stream.ts';

type Target = Pick<TargetStream, 'write' | 'end' | 'reset' | 'consumed'>;

/** A target as the stream that Node's TLS and HTTP/2 need. */
export class TargetDuplex extends Duplex {
  readonly #target: Target;
  #unconsumedBytes = 0;
  #onDrain: (() => void) | undefined;

  constructor(open: (events: TargetEvents) => Target, onRefused: (status: RefusedStatus) => void) {
    super({ allowHalfOpen: true });
    this.#target = open({
      onRefused: (status) => {
        onRefused(status);
        this.destroy();
      },
      onData: (chunk) => {
        this.#unconsumedBytes += chunk.length;
        if (this.push(chunk)) this.#consume();
      },
      onEnd: () => this.push(null),
      onReset: () => this.destroy(),
      onDrain: () => {
        const written = this.#onDrain;
        this.#onDrain = undefined;
        written?.();
      },
    });
  }

  override _read(): void {
    this.#consume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#target.write(chunk)) done();
    else this.#onDrain = done;
  }

  override _final(done: () => void): void {
    this.#target.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#target.reset();
    done(error);
  }

  #consume(): void {
    const bytes = this.#unconsumedBytes;
    this.#unconsumedBytes = 0;
    if (bytes > 0) this.#target.consumed(bytes);
  }
}
