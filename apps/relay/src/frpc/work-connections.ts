import type { MuxStream } from '@tongtu/tunnel';

/** A visitor's first byte then waits for no round trip, unless more come at once. */
const IDLE_CONNECTIONS = 4;
/** Late answers to requests whose visitor has left. */
const MAX_IDLE = 2 * IDLE_CONNECTIONS;

type Waiter = (stream: MuxStream) => void;

/** The work connections of one frpc: streams that it opens when asked, each for one target. */
export class WorkConnections {
  readonly #requestOne: () => void;
  readonly #idle = new Set<MuxStream>();
  readonly #waiting = new Set<Waiter>();

  /** `requestOne` asks frpc for a work connection. */
  constructor(requestOne: () => void) {
    this.#requestOne = requestOne;
  }

  get idleCount(): number {
    return this.#idle.size;
  }

  start(): void {
    for (let i = 0; i < IDLE_CONNECTIONS; i++) this.#requestOne();
  }

  /** A new one. Those that nobody asked for are reset. */
  add(stream: MuxStream): void {
    const [waiter] = this.#waiting;
    if (waiter !== undefined) {
      this.#waiting.delete(waiter);
      return waiter(stream);
    }
    if (this.#idle.size >= MAX_IDLE) return stream.reset();
    this.#idle.add(stream);
    const lose = () => {
      stream.reset();
      if (this.#idle.delete(stream) && this.#idle.size < IDLE_CONNECTIONS) this.#requestOne();
    };
    // frpc says nothing before it knows its target.
    stream.events = { onData: lose, onEnd: lose, onReset: lose, onDrain() {} };
  }

  /** Calls back with a work connection: at once with an idle one, else when frpc has opened one. Returns how to give up. */
  take(onStream: Waiter): () => void {
    this.#requestOne();
    const [idle] = this.#idle;
    if (idle === undefined) {
      this.#waiting.add(onStream);
      return () => this.#waiting.delete(onStream);
    }
    this.#idle.delete(idle);
    onStream(idle);
    return () => {};
  }
}
