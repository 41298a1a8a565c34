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
const MAX_BYE_WAIT_MS = 3_600_000;

/** `lost`: the relay was not reached, or went without a word. The others are what it said. */
export type TryEnd = { type: 'lost' | 'refused' | 'unsupported' } | { type: 'bye'; retryAfterMs: number | null };

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

  /** How long to wait before the next try, by how the last one ended. */
  pauseMs(end: TryEnd): number {
    switch (end.type) {
      case 'lost':
        return this.#backoff.nextMs(this.#isRestarting() ? MAX_RETRY_WHILE_RESTARTING_MS : MAX_RETRY_MS);
      case 'bye':
        return Math.min(end.retryAfterMs ?? 0, MAX_BYE_WAIT_MS);
      case 'refused':
      case 'unsupported':
        // It has cost the relay a handshake, so these waits always grow.
        return this.#backoff.nextMs();
    }
  }

  #isRestarting(): boolean {
    return this.#lostAtMs !== undefined && this.#now() - this.#lostAtMs < RESTART_WITHIN_MS;
  }
}
