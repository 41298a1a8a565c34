import type { EdgeCertificateDeps } from '../../certificates/index.ts';
import { type Deliver, EdgeSender } from './edge-sender.ts';
import { ticketKeysEndInMs } from './ticket-keys.ts';

/** A relay to which the state of the TLS edge is sent. */
export type EdgeSubscriber = { deliver: Deliver };
export type EdgeFeedDeps = EdgeCertificateDeps;

/** Keeps certificates, challenges and ticket keys of all connected relays equal to the database and the current day. */
export class EdgeFeed implements AsyncDisposable {
  readonly #deps: EdgeFeedDeps;
  readonly #senders = new Map<EdgeSubscriber, EdgeSender>();
  readonly #ending = new Set<Promise<void>>();
  #rotation: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(deps: EdgeFeedDeps) {
    this.#deps = deps;
    this.#scheduleRotation();
  }

  /** Sends the subscriber the whole state, then every change. Subscribing again sends the whole state again. */
  subscribe(subscriber: EdgeSubscriber): void {
    if (this.#isStopped) return;
    let sender = this.#senders.get(subscriber);
    if (sender === undefined) {
      sender = new EdgeSender(this.#deps, async (message) => await subscriber.deliver(message));
      this.#senders.set(subscriber, sender);
    }
    sender.sendAll();
  }

  unsubscribe(subscriber: EdgeSubscriber): void {
    const sender = this.#senders.get(subscriber);
    if (sender === undefined) return;
    this.#senders.delete(subscriber);
    const end = sender[Symbol.asyncDispose]().finally(() => this.#ending.delete(end));
    this.#ending.add(end);
  }

  sendChanges(): void {
    for (const sender of this.#senders.values()) sender.sendChanges();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#rotation);
    for (const subscriber of this.#senders.keys()) this.unsubscribe(subscriber);
    await Promise.all(this.#ending);
  }

  #scheduleRotation(): void {
    this.#rotation = setTimeout(() => {
      this.sendChanges();
      this.#scheduleRotation();
    }, ticketKeysEndInMs(Date.now())).unref();
  }
}
