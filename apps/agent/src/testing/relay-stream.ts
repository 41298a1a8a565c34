import { createHash } from 'node:crypto';
import { decodeOpenStatus, type Mux, type MuxStream, type OpenStatus } from '@tongtu/tunnel';

/** The relay's end of one stream. Its events are promises that a test can await. */
export class RelayStream {
  readonly stream: MuxStream;
  readonly status: Promise<OpenStatus>;
  readonly ended: Promise<void>;
  readonly reset: Promise<void>;
  /** False: the window is not given back, like a visitor that does not read. */
  isReading = true;
  receivedBytes = 0;
  #unreadBytes = 0;
  #hasStatus = false;
  readonly #chunks: Buffer[] = [];
  readonly #hash = createHash('sha256');
  #onDrain: (() => void) | undefined;
  #waiters: { isDone: () => boolean; resolve: () => void }[] = [];

  constructor(mux: Mux) {
    const status = deferred<OpenStatus>();
    const ended = deferred<void>();
    const reset = deferred<void>();
    this.status = status.promise;
    this.ended = ended.promise;
    this.reset = reset.promise;
    this.stream = mux.openStream({
      onData: (chunk) => this.#receive(chunk, status.resolve),
      onEnd: () => ended.resolve(),
      onReset: () => reset.resolve(),
      onDrain: () => this.#onDrain?.(),
    });
  }

  write(chunk: Buffer): boolean {
    return this.stream.write(chunk);
  }

  end(): void {
    this.stream.end();
  }

  /** Writes with the stream's own back-pressure. */
  async writeAll(chunks: Iterable<Buffer>): Promise<void> {
    for (const chunk of chunks) {
      if (!this.stream.write(chunk)) await new Promise<void>((resolve) => (this.#onDrain = resolve));
    }
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** Of everything received so far, without the status byte. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  whenReceived(bytes: number): Promise<void> {
    if (this.receivedBytes >= bytes) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ isDone: () => this.receivedBytes >= bytes, resolve }));
  }

  startReading(): void {
    this.isReading = true;
    this.stream.consumed(this.#unreadBytes);
    this.#unreadBytes = 0;
  }

  #receive(chunk: Buffer, onStatus: (status: OpenStatus) => void): void {
    let payload = chunk;
    if (!this.#hasStatus) {
      this.#hasStatus = true;
      onStatus(decodeOpenStatus(chunk.readUInt8(0)));
      payload = chunk.subarray(1);
    }
    this.receivedBytes += payload.length;
    this.#hash.update(payload);
    if (this.receivedBytes < 1_000_000) this.#chunks.push(payload);
    if (this.isReading) this.stream.consumed(chunk.length);
    else this.#unreadBytes += chunk.length;
    for (const waiter of this.#waiters) if (waiter.isDone()) waiter.resolve();
  }
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
