import { type Backoff, createBackoff } from '@tongtu/base';

const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 20_000;
/** A connection that lived this long was a good one: the next failure starts the backoff anew. */
const STABLE_AFTER_MS = 5_000;
/**
 * A relay that was there a moment ago is most likely restarting. To be refused by a closed port costs nobody anything,
 * so for this long the tries stay close together.
 */
const RESTART_WITHIN_MS = 60_000;
const MAX_RETRY_WHILE_RESTARTING_MS = 1_000;

/**
 * How long a tunnel waits before it dials again: from 0.2 s, doubled up to 20 s, with jitter, but no more than 1 s in
 * the first minute after a session was lost.
 */
export class RetryDelay {
  readonly #now: () => number;
  readonly #backoff: Backoff;
  #onlineSinceMs: number | undefined;
  #lostAtMs: number | undefined;

  constructor({ now, random }: { now: () => number; random: () => number }) {
    this.#now = now;
    this.#backoff = createBackoff({ firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS, random });
  }

  onWelcome(): void {
    this.#onlineSinceMs = this.#now();
  }

  /** Called after each try, whether it came to a session or not. */
  onEnded(): void {
    const nowMs = this.#now();
    const sinceMs = this.#onlineSinceMs;
    this.#onlineSinceMs = undefined;
    // A session that ends as soon as it began is no relay that restarts: each of them costs it a handshake.
    if (sinceMs === undefined || nowMs - sinceMs < STABLE_AFTER_MS) return;
    this.#lostAtMs = nowMs;
    this.#backoff.reset();
  }

  /** After a try that did not reach the relay, or lost it. */
  afterLossMs(): number {
    const isRestarting = this.#lostAtMs !== undefined && this.#now() - this.#lostAtMs < RESTART_WITHIN_MS;
    return this.#backoff.nextMs(isRestarting ? MAX_RETRY_WHILE_RESTARTING_MS : MAX_RETRY_MS);
  }

  /** After a relay's refusal. That has cost it a handshake, so these waits always grow. */
  afterRefusalMs(): number {
    return this.#backoff.nextMs();
  }
}
