import { connect, type Socket } from 'node:net';
import type { Grant } from '../gate/judge-access.ts';
import { noMeter } from '../usage/mapping-meter.ts';
import { IdleStreams } from './idle-streams.ts';
import type { ReuseRule, UpstreamEvents, UpstreamPool, UpstreamStream } from './upstream-stream.ts';

/** Read from the API server but not yet accepted by the visitor; beyond it the socket waits. */
const MAX_UNCONSUMED_BYTES = 256 * 1024;
const noEvents: UpstreamEvents = { onData() {}, onEnd() {}, onFailed() {}, onDrain() {} };

/** Plain connections to the API server, kept for reuse. */
export class ConsoleUpstream implements UpstreamPool {
  readonly meter = noMeter;
  readonly #address: { host: string; port: number };
  readonly #idle: IdleStreams<SocketStream>;

  constructor(
    address: { host: string; port: number },
    limits: { maxIdle: number; maxIdleMs: number },
    now: () => number,
  ) {
    this.#address = address;
    this.#idle = new IdleStreams(limits, now);
  }

  take(reuse: ReuseRule): UpstreamStream {
    this.#idle.expire();
    return (
      this.#idle.take(reuse) ??
      new SocketStream(connect({ ...this.#address, noDelay: true, allowHalfOpen: true }), this.#idle)
    );
  }

  close(): void {
    this.#idle.clear();
  }
}

class SocketStream implements UpstreamStream {
  events: UpstreamEvents = noEvents;
  grant: Grant | undefined;
  isReused = false;
  readonly #socket: Socket;
  readonly #idle: IdleStreams<SocketStream>;
  #unconsumedBytes = 0;
  #isClosed = false;

  constructor(socket: Socket, idle: IdleStreams<SocketStream>) {
    this.#socket = socket;
    this.#idle = idle;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('end', () => this.#isClosed || this.events.onEnd());
    socket.on('drain', () => this.#isClosed || this.events.onDrain());
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#fail(error.code === 'ECONNREFUSED' ? 'refused' : 'lost'),
    );
    socket.on('close', () => this.#fail('lost'));
  }

  write(chunk: Buffer): boolean {
    return this.#isClosed || this.#socket.write(chunk);
  }

  end(): void {
    this.#socket.end();
  }

  reset(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  consumed(bytes: number): void {
    this.#unconsumedBytes -= bytes;
    if (this.#unconsumedBytes < MAX_UNCONSUMED_BYTES / 2 && this.#socket.isPaused()) this.#socket.resume();
  }

  release(): void {
    this.isReused = true;
    this.#idle.put(this);
  }

  #onData(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#unconsumedBytes += chunk.length;
    if (this.#unconsumedBytes > MAX_UNCONSUMED_BYTES) this.#socket.pause();
    this.events.onData(chunk);
  }

  #fail(failure: 'refused' | 'lost'): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.destroy();
    this.events.onFailed(failure);
  }
}
