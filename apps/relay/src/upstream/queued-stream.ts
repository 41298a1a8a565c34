import type { Grant } from '../access/judge-access.ts';
import {
  AgentOutdatedError,
  GrantEndedError,
  noUpstreamEvents,
  UpstreamBusyError,
  type UpstreamFailure,
  type UpstreamStream,
  type Waiting,
} from './upstream-stream.ts';
import type { VisitorShares } from './visitor-shares.ts';

type QueuedStreamDeps = {
  shares: VisitorShares;
  address: string;
  waiting: Waiting;
  /** Opens the stream in the place that has become free. Throws what the pool's `take` throws, and gives the place up. */
  open: () => UpstreamStream;
  /** It waits no longer. */
  onLeft: (queued: QueuedStream) => void;
};

/** A stream to be: it keeps what is written until its visitor has room for one more stream, and then passes it on. */
export class QueuedStream implements UpstreamStream {
  readonly #deps: QueuedStreamDeps;
  readonly #leaveQueue: () => void;
  #stream: UpstreamStream | undefined;
  #events = noUpstreamEvents;
  #grant: Grant | undefined;
  #kept: Buffer[] = [];
  #hasEnded = false;
  #isOver = false;

  /** Throws VisitorBusyError when too many wait. */
  constructor(deps: QueuedStreamDeps) {
    this.#deps = deps;
    this.#leaveQueue = deps.shares.wait(deps.address, deps.waiting, () => this.#begin());
  }

  get waitsForTurn(): boolean {
    return this.#stream === undefined && !this.#isOver;
  }

  get isAway(): boolean {
    return this.#stream?.isAway === true;
  }

  get events() {
    return this.#events;
  }

  set events(events) {
    this.#events = events;
    if (this.#stream !== undefined) this.#stream.events = events;
  }

  get grant(): Grant | undefined {
    return this.#stream === undefined ? this.#grant : this.#stream.grant;
  }

  set grant(grant: Grant | undefined) {
    this.#grant = grant;
    if (this.#stream !== undefined) this.#stream.grant = grant;
  }

  get isReused(): boolean {
    return this.#stream?.isReused === true;
  }

  get queuedBytes(): number {
    return this.#stream?.queuedBytes ?? this.#kept.reduce((bytes, { length }) => bytes + length, 0);
  }

  /** False while it waits: no more of a body is read than what has arrived with its head. */
  write(chunk: Buffer): boolean {
    if (this.#stream !== undefined) return this.#stream.write(chunk);
    if (!this.#isOver) this.#kept.push(chunk);
    return this.#isOver;
  }

  end(): void {
    this.#hasEnded = true;
    this.#stream?.end();
  }

  reset(): void {
    if (this.#stream === undefined) this.#leave();
    else this.#stream.reset();
  }

  consumed(bytes: number): void {
    this.#stream?.consumed(bytes);
  }

  release(): void {
    this.#stream?.release();
  }

  /** Ends it while it waits: its user gets `onFailed`. */
  cut(failure: UpstreamFailure): void {
    if (!this.waitsForTurn) return;
    this.#leave();
    this.#events.onFailed(failure);
  }

  #leave(): void {
    this.#isOver = true;
    this.#kept = [];
    this.#leaveQueue();
    this.#deps.onLeft(this);
  }

  #begin(): void {
    let stream: UpstreamStream;
    try {
      stream = this.#deps.open();
    } catch (error) {
      return this.cut(failureOf(error));
    }
    this.#deps.onLeft(this);
    this.#stream = stream;
    try {
      stream.grant = this.#grant;
      stream.events = this.#events;
      const kept = this.#kept.splice(0);
      const isAccepted = kept.map((chunk) => stream.write(chunk)).every(Boolean);
      if (this.#hasEnded) stream.end();
      if (isAccepted) this.#events.onDrain();
    } catch (error) {
      // Its place becomes free with it.
      stream.reset();
      this.#events.onFailed(failureOf(error));
    }
  }
}

function failureOf(error: unknown): UpstreamFailure {
  if (error instanceof GrantEndedError) return 'revoked';
  if (error instanceof AgentOutdatedError) return 'agentOutdated';
  return error instanceof UpstreamBusyError ? 'busy' : 'lost';
}
