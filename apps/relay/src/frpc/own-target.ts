import type { MuxStream, MuxStreamEvents } from '@tongtu/tunnel';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import type { TakeConnection } from './frpc-proxies.ts';
import { type FrpcFailure, statusOf } from './frpc-target.ts';

/** As of a mux's stream: what may wait for a work connection. */
const HIGH_WATER_BYTES = 256 * 1024;
/** frpc says nothing when it has dialled its target, and closes at once when it could not. */
const CONNECTED_AFTER_MS = 1_000;

export type OwnTargetDeps = {
  takeConnection: TakeConnection;
  /** How long a work connection may take. */
  timeoutMs: number;
  onConnected?: () => void;
  onFailed?: (failure: FrpcFailure) => void;
  onClosed: () => void;
};

/**
 * A connection to the target that frpc's own configuration names. frpc closes both directions when one ends, so our end is
 * sent only after the target's.
 */
export class OwnTarget implements TargetStream, MuxStreamEvents {
  readonly emptyUpdateCount = 0;
  readonly #deps: OwnTargetDeps;
  readonly #events: TargetEvents;
  readonly #giveUp: () => void;
  #timer: NodeJS.Timeout;
  #stream: MuxStream | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isDrainOwed = false;
  #isConnected = false;
  #hasEnded = false;
  #isClosed = false;

  constructor(deps: OwnTargetDeps, events: TargetEvents) {
    this.#deps = deps;
    this.#events = events;
    this.#timer = setTimeout(() => this.#onSilence(), deps.timeoutMs);
    this.#giveUp = deps.takeConnection((stream) => this.#begin(stream));
  }

  get isWritable(): boolean {
    return !this.#hasEnded && !this.#isClosed;
  }

  get queuedBytes(): number {
    return this.#waitingBytes + (this.#stream?.queuedBytes ?? 0);
  }

  write(chunk: Buffer): boolean {
    if (this.#isClosed) return true;
    if (this.#stream !== undefined) return this.#stream.isWritable ? this.#stream.write(chunk) : true;
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    this.#isDrainOwed ||= this.#waitingBytes >= HIGH_WATER_BYTES;
    return !this.#isDrainOwed;
  }

  end(): void {
    this.#hasEnded = true;
  }

  reset(): void {
    this.#close();
  }

  consumed(bytes: number): void {
    this.#stream?.consumed(bytes);
  }

  onData(chunk: Buffer): void {
    this.#connected();
    this.#events.onData(chunk);
  }

  onEnd(): void {
    if (!this.#isConnected) this.#deps.onFailed?.('notServed');
    this.#stream?.end();
    this.#close();
    this.#events.onEnd();
  }

  onReset(): void {
    if (!this.#isConnected) this.#deps.onFailed?.('notServed');
    this.#close();
    this.#events.onReset();
  }

  onDrain(): void {
    this.#events.onDrain();
  }

  #begin(stream: MuxStream): void {
    this.#stream = stream;
    stream.events = this;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connected(), CONNECTED_AFTER_MS);
    let isRoomLeft = true;
    for (const chunk of this.#waiting.splice(0)) isRoomLeft = stream.write(chunk);
    this.#waitingBytes = 0;
    if (!this.#isDrainOwed) return;
    this.#isDrainOwed = false;
    if (isRoomLeft) this.#events.onDrain();
  }

  #connected(): void {
    if (this.#isConnected) return;
    clearTimeout(this.#timer);
    this.#isConnected = true;
    this.#deps.onConnected?.();
  }

  #onSilence(): void {
    this.#close();
    this.#deps.onFailed?.('timeout');
    this.#events.onRefused(statusOf.timeout);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#giveUp();
    this.#waiting = [];
    this.#waitingBytes = 0;
    // After its end a stream closes by itself when all is sent.
    if (this.#stream?.isPeerEnded !== true) this.#stream?.reset();
    this.#deps.onClosed();
  }
}
