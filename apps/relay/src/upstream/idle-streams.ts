import { closeStream, type ReuseRule, type UpstreamEvents, type UpstreamStream } from './upstream-stream.ts';

/** A service that closes idle connections after 5 s, a common setting, has not closed one that rested this long. */
const RECENT_MS = 2_000;

type Idle<Stream> = { stream: Stream; sinceMs: number };

/** Streams between two requests, the most recently used last. */
export class IdleStreams<Stream extends UpstreamStream> {
  readonly #limits: { maxIdle: number; maxIdleMs: number };
  readonly #monotonicMs: () => number;
  #idle: Idle<Stream>[] = [];

  constructor(limits: { maxIdle: number; maxIdleMs: number }, monotonicMs: () => number) {
    this.#limits = limits;
    this.#monotonicMs = monotonicMs;
  }

  get size(): number {
    return this.#idle.length;
  }

  /** The one that was used last, of those that fit. */
  take(reuse: ReuseRule, isFit: (stream: Stream) => boolean = () => true): Stream | undefined {
    if (reuse === 'never') return undefined;
    const at = this.#idle.findLastIndex(({ stream }) => isFit(stream));
    const newest = this.#idle[at];
    if (newest === undefined) return undefined;
    const restedMs = this.#monotonicMs() - newest.sinceMs;
    if (restedMs > (reuse === 'recent' ? RECENT_MS : this.#limits.maxIdleMs)) return undefined;
    this.#idle.splice(at, 1);
    return newest.stream;
  }

  put(stream: Stream): void {
    stream.events = this.#eventsOf(stream);
    this.#idle.push({ stream, sinceMs: this.#monotonicMs() });
    if (this.#idle.length > this.#limits.maxIdle) this.#closeOldest();
  }

  /** Ends those that have rested too long. */
  expire(): void {
    const oldestMs = this.#monotonicMs() - this.#limits.maxIdleMs;
    while (this.#idle[0] !== undefined && this.#idle[0].sinceMs < oldestMs) this.#closeOldest();
  }

  clear(): void {
    for (const { stream } of this.#idle.splice(0)) closeStream(stream);
  }

  #closeOldest(): void {
    const oldest = this.#idle.shift();
    if (oldest !== undefined) closeStream(oldest.stream);
  }

  /** A stream with bytes that no request asked for cannot be reused. */
  #eventsOf(stream: Stream): UpstreamEvents {
    const drop = () => {
      this.#idle = this.#idle.filter((idle) => idle.stream !== stream);
      stream.reset();
    };
    return { onData: drop, onEnd: drop, onFailed: drop, onDrain() {} };
  }
}
