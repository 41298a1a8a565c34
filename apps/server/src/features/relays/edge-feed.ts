import type { EdgeCertificateDeps } from '../certificates/index.ts';
import { type Deliver, EdgeLine } from './edge-line.ts';
import { ticketKeysEndInMs } from './ticket-keys.ts';

/** Where the state of the TLS edge is sent to. */
export type EdgeSubscriber = { deliver: Deliver };
export type EdgeFeedDeps = EdgeCertificateDeps;

/** Keeps what all connected relays know of certificates, challenges and ticket keys equal to the database and the day. */
export class EdgeFeed implements AsyncDisposable {
  readonly #deps: EdgeFeedDeps;
  readonly #lines = new Map<EdgeSubscriber, EdgeLine>();
  readonly #ending = new Set<Promise<void>>();
  #rotation: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(deps: EdgeFeedDeps) {
    this.#deps = deps;
    this.#awaitNextDay();
  }

  /** The subscriber gets the whole state, then every change. Subscribing again means: the whole state once more. */
  subscribe(subscriber: EdgeSubscriber): void {
    if (this.#isStopped) return;
    let line = this.#lines.get(subscriber);
    if (line === undefined) {
      line = new EdgeLine(this.#deps, async (message) => await subscriber.deliver(message));
      this.#lines.set(subscriber, line);
    }
    line.tellAll();
  }

  unsubscribe(subscriber: EdgeSubscriber): void {
    const line = this.#lines.get(subscriber);
    if (line === undefined) return;
    this.#lines.delete(subscriber);
    const end = line[Symbol.asyncDispose]().finally(() => this.#ending.delete(end));
    this.#ending.add(end);
  }

  changed(): void {
    for (const line of this.#lines.values()) line.tellChanges();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#rotation);
    for (const subscriber of this.#lines.keys()) this.unsubscribe(subscriber);
    await Promise.all(this.#ending);
  }

  #awaitNextDay(): void {
    this.#rotation = setTimeout(() => {
      this.changed();
      this.#awaitNextDay();
    }, ticketKeysEndInMs(Date.now())).unref();
  }
}
