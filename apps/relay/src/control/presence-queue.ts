import type { PresenceEvent } from '@tongtu/contract';
import { presenceBatches } from './presence-batches.ts';

/** Presence changes are sent together, so that the return of thousands of devices is dozens of transactions. */
const FLUSH_EVERY_MS = 100;

export type PresenceQueueDeps = {
  isConnected: () => boolean;
  send: (events: PresenceEvent[]) => void;
  maxQueued: number;
  monotonicMs: () => number;
};

/** Presence events on their way to the server. While it is away the oldest beyond the limit are dropped. */
export class PresenceQueue {
  readonly #deps: PresenceQueueDeps;
  #events: PresenceEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: PresenceQueueDeps) {
    this.#deps = deps;
  }

  add(event: PresenceEvent): void {
    this.#events.push(event);
    if (this.#events.length > this.#deps.maxQueued) this.#events.shift();
    const waitMs = Math.max(0, this.#flushedAtMs + FLUSH_EVERY_MS - this.#deps.monotonicMs());
    this.#timer ??= setTimeout(() => this.flush(), waitMs);
  }

  /** The server has just received who is online: only why and when other devices went offline remains to be sent. */
  dropKnown(online: readonly PresenceEvent[]): void {
    const isOnline = new Set(online.map((event) => event.deviceId));
    this.#events = this.#events.filter((event) => !event.online && !isOnline.has(event.deviceId));
  }

  /** Sends what is queued; without a connection it stays queued. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#deps.isConnected() || this.#events.length === 0) return;
    this.#flushedAtMs = this.#deps.monotonicMs();
    for (const events of presenceBatches(this.#events.splice(0))) this.#deps.send(events);
  }
}
