import { createBackoff, type Backoff } from '@tongtu/base';
import pg from 'pg';
import type { Logger } from 'pino';

export type Subscriber = { onNotify: (payload: string) => void; onLost: () => void };

/** Holds one connection for LISTEN. After a loss it reconnects and notifies the subscribers, who may have missed notifications. */
export class NotificationListener {
  readonly #url: string;
  readonly #log: Logger;
  readonly #backoff: Backoff = createBackoff({ firstMs: 100, maxMs: 5_000, random: Math.random });
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  #client: Promise<pg.Client> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: { url: string; log: Logger }) {
    this.#url = options.url;
    this.#log = options.log;
  }

  /** Resolves when the channel is listened to: later notifications arrive. */
  async listen(channel: string, subscriber: Subscriber): Promise<AsyncDisposable> {
    const subscribers = this.#subscribers.get(channel) ?? new Set();
    this.#subscribers.set(channel, subscribers.add(subscriber));
    try {
      const client = await (this.#client ??= this.#connect());
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      subscribers.delete(subscriber);
      throw error;
    }
    return {
      [Symbol.asyncDispose]: async () => {
        subscribers.delete(subscriber);
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const client = await this.#client?.catch(() => undefined); // never connected, so nothing to end
    await client?.end();
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true, application_name: 'tongtu-listen' });
    client.on('notification', ({ channel, payload }) => {
      for (const { onNotify } of this.#subscribers.get(channel) ?? []) onNotify(payload ?? '');
    });
    client.on('error', ({ message }) => this.#log.warn({ reason: message }, 'notification connection lost'));
    try {
      await client.connect();
      for (const channel of this.#subscribers.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      this.#client = undefined;
      client.end().catch(() => undefined); // the connection may never have opened
      throw error;
    }
    client.once('end', () => this.#reconnectLater());
    return client;
  }

  #reconnectLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#client = this.#connect();
      this.#client.then(
        () => this.#notifyLost(),
        () => this.#reconnectLater(), // queries of the pool report the cause
      );
    }, this.#backoff.nextMs());
  }

  #notifyLost(): void {
    this.#backoff.reset();
    for (const subscribers of this.#subscribers.values()) for (const { onLost } of subscribers) onLost();
  }
}
