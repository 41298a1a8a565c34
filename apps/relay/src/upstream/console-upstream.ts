import { connect, type Socket } from 'node:net';
import type { Grant } from '../access/judge-access.ts';
import { noMeter } from '../usage/mapping-meter.ts';
import { IdleStreams } from './idle-streams.ts';
import {
  noUpstreamEvents,
  type ReuseRule,
  type StreamWay,
  UpstreamBusyError,
  type UpstreamEvents,
  type UpstreamPool,
  type UpstreamStream,
  type Waiting,
} from './upstream-stream.ts';
import { QueuedStream } from './queued-stream.ts';
import { VisitorShares } from './visitor-shares.ts';

/** The most bytes from the API server that the visitor has not accepted yet; beyond it the socket is paused. */
const MAX_UNCONSUMED_BYTES = 256 * 1024;

export type ConsoleLimits = {
  maxIdle: number;
  maxIdleMs: number;
  maxStreams: number;
  maxStreamsPerVisitor: number;
  maxWaitingPerVisitor: number;
};

/** Plain connections to the API server, kept for reuse. */
export class ConsoleUpstream implements UpstreamPool {
  readonly meter = noMeter;
  readonly #address: { host: string; port: number };
  readonly #idle: IdleStreams<SocketStream>;
  readonly #shares: VisitorShares;
  readonly #maxStreams: number;
  #streamCount = 0;

  constructor(address: { host: string; port: number }, limits: ConsoleLimits, monotonicMs: () => number) {
    this.#address = address;
    this.#shares = new VisitorShares(limits.maxStreamsPerVisitor, { maxWaiting: limits.maxWaitingPerVisitor });
    this.#maxStreams = limits.maxStreams;
    this.#idle = new IdleStreams(limits, monotonicMs);
  }

  take(reuse: ReuseRule, { address }: Grant, _way?: StreamWay, waiting?: Waiting): UpstreamStream {
    this.#idle.expire();
    const shares = this.#shares;
    if (waiting !== undefined && shares.isFull(address)) {
      const open = () => this.#takeInPlace(reuse, address);
      return new QueuedStream({ shares, address, waiting, open, onLeft() {} });
    }
    shares.enter(address);
    return this.#takeInPlace(reuse, address);
  }

  close(): void {
    this.#idle.clear();
  }

  /** The visitor's share counts it already. */
  #takeInPlace(reuse: ReuseRule, address: string): UpstreamStream {
    if (this.#streamCount >= this.#maxStreams) {
      this.#shares.leave(address);
      throw new UpstreamBusyError('too many streams to the console');
    }
    this.#streamCount++;
    const stream = this.#idle.take(reuse) ?? this.#connect();
    stream.onFreed = () => {
      this.#streamCount--;
      this.#shares.leave(address);
    };
    return stream;
  }

  #connect(): SocketStream {
    return new SocketStream(connect({ ...this.#address, noDelay: true, allowHalfOpen: true }), this.#idle);
  }
}

class SocketStream implements UpstreamStream {
  events: UpstreamEvents = noUpstreamEvents;
  grant: Grant | undefined;
  isReused = false;
  /** Called once when its present user releases it. */
  onFreed: (() => void) | undefined;
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

  get queuedBytes(): number {
    return this.#socket.writableLength;
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
    this.#free();
  }

  consumed(bytes: number): void {
    this.#unconsumedBytes -= bytes;
    if (this.#unconsumedBytes < MAX_UNCONSUMED_BYTES / 2 && this.#socket.isPaused()) this.#socket.resume();
  }

  release(): void {
    this.isReused = true;
    // First, so that the visitor's next request in the queue gets it.
    this.#idle.put(this);
    this.#free();
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
    this.#free();
    this.events.onFailed(failure);
  }

  #free(): void {
    const { onFreed } = this;
    this.onFreed = undefined;
    onFreed?.();
  }
}
