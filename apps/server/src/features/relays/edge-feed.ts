import { setTimeout as wait } from 'node:timers/promises';
import { createBackoff } from '@tongtu/base';
import type { ServerToRelay } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { readEdge } from '../certificates/index.ts';
import { ticketKeysAt, ticketKeysEndInMs } from './ticket-keys.ts';

/** Where the state of the TLS edge is sent to. */
export type EdgeSubscriber = { send: (message: ServerToRelay) => void };
export type EdgeFeedDeps = { db: Db; log: Logger; sealingKey: Buffer };

/** Keeps what all connected relays know of certificates, challenges and ticket keys equal to the database and the day. */
export class EdgeFeed implements AsyncDisposable {
  readonly #deps: EdgeFeedDeps;
  readonly #subscribers = new Set<EdgeSubscriber>();
  readonly #wanting = new Set<EdgeSubscriber>();
  readonly #stop = new AbortController();
  readonly #backoff = createBackoff({ firstMs: 100, maxMs: 2_000, random: Math.random });
  #worker: Promise<void> | undefined;
  #rotation: NodeJS.Timeout | undefined;

  constructor(deps: EdgeFeedDeps) {
    this.#deps = deps;
    this.#awaitNextDay();
  }

  /** The subscriber gets the whole state, now and after every change. Subscribing again means: once more. */
  subscribe(subscriber: EdgeSubscriber): void {
    if (this.#stop.signal.aborted) return;
    this.#subscribers.add(subscriber);
    this.#wanting.add(subscriber);
    this.#wake();
  }

  unsubscribe(subscriber: EdgeSubscriber): void {
    this.#subscribers.delete(subscriber);
    this.#wanting.delete(subscriber);
  }

  changed(): void {
    for (const subscriber of this.#subscribers) this.#wanting.add(subscriber);
    this.#wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#rotation);
    this.#subscribers.clear();
    this.#wanting.clear();
    await this.#worker;
  }

  #awaitNextDay(): void {
    this.#rotation = setTimeout(() => {
      this.changed();
      this.#awaitNextDay();
    }, ticketKeysEndInMs(Date.now())).unref();
  }

  #wake(): void {
    if (this.#wanting.size > 0) this.#worker ??= this.#work();
  }

  async #work(): Promise<void> {
    while (this.#wanting.size > 0) {
      // Lowered before reading: a wish that comes meanwhile asks for a newer state than this one.
      const served = [...this.#wanting];
      this.#wanting.clear();
      try {
        await this.#send(served);
        this.#backoff.reset();
      } catch (err) {
        this.#deps.log.warn({ err }, 'could not read certificates for the relays, trying again');
        for (const subscriber of served) if (this.#subscribers.has(subscriber)) this.#wanting.add(subscriber);
        await wait(this.#backoff.nextMs(), undefined, { signal: this.#stop.signal }).catch(() => undefined); // stopping
      }
    }
    // In the same turn as the last look for work, so that no wake-up falls between.
    this.#worker = undefined;
  }

  async #send(served: EdgeSubscriber[]): Promise<void> {
    const { db, sealingKey } = this.#deps;
    const edge = { ...(await readEdge(db, sealingKey)), ticketKeys: ticketKeysAt(sealingKey, Date.now()) };
    for (const subscriber of served) if (this.#subscribers.has(subscriber)) subscriber.send({ type: 'edge', edge });
  }
}
