import { FrpError, type FrpMessageOf, WorkCodec, type WorkCodecOptions } from '@tongtu/frp';
import type { MuxStream, MuxStreamEvents } from '@tongtu/tunnel';

/** What is decoded and not yet consumed: a few compressed bytes may become many. */
const MAX_UNCONSUMED_BYTES = 256 * 1024;

/** The part of a work connection's stream that carries data. */
export type WorkConnection = Pick<
  MuxStream,
  'events' | 'isWritable' | 'isPeerEnded' | 'queuedBytes' | 'write' | 'end' | 'reset' | 'consumed'
>;

/** Calls back with a work connection on which StartWorkConn is written. Returns how to give up. */
export type TakeConnection = (onStream: (stream: WorkConnection) => void) => () => void;

/** `useEncryption` and `useCompression` of a proxy. */
export type WorkCoding = Pick<WorkCodecOptions, 'isEncrypted' | 'isCompressed'>;

/** Undefined: its work connections carry plain bytes. */
export function codingOf({
  use_encryption: isEncrypted,
  use_compression: isCompressed,
}: FrpMessageOf<'NewProxy'>): WorkCoding | undefined {
  return isEncrypted || isCompressed ? { isEncrypted, isCompressed } : undefined;
}

/** A work connection of a proxy with `useEncryption` or `useCompression`. */
export class CodedConnection implements WorkConnection, MuxStreamEvents {
  events: MuxStreamEvents = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };
  readonly #stream: MuxStream;
  readonly #codec: WorkCodec;
  #unconsumedBytes = 0;
  #isDelivering = false;
  #hasPeerEnded = false;
  #isEndDelivered = false;
  #isClosed = false;

  constructor(stream: MuxStream, options: WorkCodecOptions) {
    this.#stream = stream;
    this.#codec = new WorkCodec(options);
    stream.events = this;
  }

  get isWritable(): boolean {
    return this.#stream.isWritable;
  }

  /** Only when all that came before is delivered. */
  get isPeerEnded(): boolean {
    return this.#isEndDelivered;
  }

  get queuedBytes(): number {
    return this.#stream.queuedBytes;
  }

  write(chunk: Buffer): boolean {
    return this.#stream.write(this.#codec.encode(chunk));
  }

  end(): void {
    this.#stream.end();
  }

  reset(): void {
    this.#isClosed = true;
    this.#stream.reset();
  }

  consumed(bytes: number): void {
    this.#unconsumedBytes -= bytes;
    this.#deliver();
  }

  onData(chunk: Buffer): void {
    this.#codec.push(chunk);
    this.#deliver();
  }

  onEnd(): void {
    this.#hasPeerEnded = true;
    this.#deliver();
  }

  onReset(): void {
    this.#isClosed = true;
    this.events.onReset();
  }

  onDrain(): void {
    this.events.onDrain();
  }

  /** Decodes as much as its reader has room for. The reader may consume, end or reset meanwhile. */
  #deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      while (!this.#isClosed && this.#unconsumedBytes < MAX_UNCONSUMED_BYTES) if (!this.#deliverNext()) break;
    } catch (error) {
      if (!(error instanceof FrpError)) throw error;
      this.reset();
      this.events.onReset();
    } finally {
      this.#isDelivering = false;
    }
  }

  #deliverNext(): boolean {
    const decoded = this.#codec.next();
    if (decoded !== undefined) {
      const { plain, bytes } = decoded;
      this.#stream.consumed(bytes);
      this.#unconsumedBytes += plain.length;
      if (plain.length > 0) this.events.onData(plain);
      return true;
    }
    if (this.#hasPeerEnded && !this.#isEndDelivered) {
      this.#isEndDelivered = true;
      this.events.onEnd();
    }
    return false;
  }
}
