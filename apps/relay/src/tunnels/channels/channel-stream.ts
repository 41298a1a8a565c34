import type { Mux, OpenRequest } from '@tongtu/tunnel';
import { openAgentTarget } from '../../upstream/agent-target.ts';
import type { RefusedStatus, TargetEvents, TargetStream } from '../../upstream/target-stream.ts';

/** A stream that moves more than this within `PERIOD_MS`, or a little longer, is a long transfer. */
const LONG_TRANSFER_BYTES = 1024 * 1024;
const PERIOD_MS = 10_000;

/** What a stream needs of its channel, and reports to it. */
export type StreamChannel = {
  readonly mux: Mux;
  readonly isPlacedWell: boolean;
  monotonicMs(): number;
  onStreamBusy(): void;
  onStreamRests(): void;
  onStreamClosed(stream: ChannelStream): void;
  onLongTransfer(monotonicMs: number): void;
};

/** A stream of a channel, which follows what the stream does. */
export class ChannelStream implements TargetStream, TargetEvents {
  lastMovedAtMs: number;
  readonly #channel: StreamChannel;
  readonly #events: TargetEvents;
  readonly #stream: TargetStream;
  #isResting = false;
  #isClosed = false;
  #hasEnded = false;
  #hasPeerEnded = false;
  #periodStartMs: number;
  #periodBytes = 0;
  #bytesBefore = 0;

  /** Throws what `Mux.openStream` throws. */
  constructor(channel: StreamChannel, request: OpenRequest, events: TargetEvents) {
    this.#channel = channel;
    this.#events = events;
    this.lastMovedAtMs = channel.monotonicMs();
    this.#periodStartMs = this.lastMovedAtMs;
    this.#stream = openAgentTarget(channel.mux, request, this);
  }

  get isWritable(): boolean {
    return this.#stream.isWritable;
  }

  get queuedBytes(): number {
    return this.#stream.queuedBytes;
  }

  get emptyUpdateCount(): number {
    return this.#stream.emptyUpdateCount;
  }

  get isResting(): boolean {
    return this.#isResting;
  }

  set isResting(isResting: boolean) {
    if (this.#isResting === isResting || this.#isClosed) return;
    this.#isResting = isResting;
    if (isResting) this.#channel.onStreamRests();
    else this.#channel.onStreamBusy();
  }

  get isPlacedWell(): boolean {
    return this.#channel.isPlacedWell;
  }

  write(chunk: Buffer): boolean {
    this.#noteBytes(chunk.length, this.#channel.monotonicMs());
    return this.#stream.write(chunk);
  }

  end(): void {
    this.#stream.end();
    this.#hasEnded = true;
    if (this.#hasPeerEnded) this.#close();
  }

  reset(): void {
    this.#stream.reset();
    this.#close();
  }

  consumed(bytes: number): void {
    this.#stream.consumed(bytes);
  }

  onRefused(status: RefusedStatus): void {
    this.#close();
    this.#events.onRefused(status);
  }

  onData(chunk: Buffer): void {
    this.#noteBytes(chunk.length, this.#channel.mux.lastReceivedAtMs);
    this.#events.onData(chunk);
  }

  onEnd(): void {
    this.#hasPeerEnded = true;
    if (this.#hasEnded) this.#close();
    this.#events.onEnd();
  }

  onReset(): void {
    this.#close();
    this.#events.onReset();
  }

  onDrain(): void {
    this.#events.onDrain();
  }

  #noteBytes(bytes: number, monotonicMs: number): void {
    this.lastMovedAtMs = monotonicMs;
    if (monotonicMs - this.#periodStartMs >= PERIOD_MS) {
      this.#bytesBefore = monotonicMs - this.#periodStartMs < 2 * PERIOD_MS ? this.#periodBytes : 0;
      this.#periodBytes = 0;
      this.#periodStartMs = monotonicMs;
    }
    this.#periodBytes += bytes;
    if (this.#periodBytes + this.#bytesBefore > LONG_TRANSFER_BYTES) this.#channel.onLongTransfer(monotonicMs);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#channel.onStreamClosed(this);
  }
}
