import type { MuxStreamEvents } from '@tongtu/tunnel';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import type { TakeConnection, WorkConnection } from './coded-connection.ts';
import { type FrpcFailure, statusOf } from './frpc-target.ts';
import { WorkStream } from './work-stream.ts';

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
  readonly #stream = new WorkStream();
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
    return this.#stream.queuedBytes;
  }

  write(chunk: Buffer): boolean {
    return this.#isClosed ? true : this.#stream.write(chunk);
  }

  end(): void {
    this.#hasEnded = true;
  }

  reset(): void {
    this.#close();
  }

  consumed(bytes: number): void {
    this.#stream.consumed(bytes);
  }

  onData(chunk: Buffer): void {
    this.#connected();
    this.#events.onData(chunk);
  }

  onEnd(): void {
    if (!this.#isConnected) this.#deps.onFailed?.('notServed');
    this.#stream.end();
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

  #begin(stream: WorkConnection): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connected(), CONNECTED_AFTER_MS);
    this.#stream.begin(stream, this);
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
    this.#stream.close();
    this.#deps.onClosed();
  }
}
