import { type Backoff, createBackoff } from '@tongtu/base';

const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 20_000;
/** After a connection has lasted this long, the next failure starts the backoff anew. */
const STABLE_AFTER_MS = 5_000;
/**
 * A relay whose session was just lost is most likely restarting. A try against a closed port is cheap, so for this long
 * the pauses stay short.
 */
const RESTART_WITHIN_MS = 60_000;
const MAX_RETRY_WHILE_RESTARTING_MS = 1_000;
const MAX_BYE_WAIT_MS = 3_600_000;

/** `lost`: the relay was not reached, or the connection broke. The others are messages of the relay. */
export type TryEnd = { type: 'lost' | 'refused' | 'unsupported' } | { type: 'bye'; retryAfterMs: number | null };

/**
 * How long a tunnel waits before it dials again: from 0.2 s, doubled up to 20 s, with jitter, but no more than 1 s in
 * the first minute after a session was lost.
 */
export class RetryDelay {
  readonly #monotonicMs: () => number;
  readonly #backoff: Backoff;
  #onlineSinceMs: number | undefined;
  #lostAtMs: number | undefined;

  constructor({ monotonicMs, random }: { monotonicMs: () => number; random: () => number }) {
    this.#monotonicMs = monotonicMs;
    this.#backoff = createBackoff({ firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS, random });
  }

  onWelcome(): void {
    this.#onlineSinceMs = this.#monotonicMs();
  }

  /** Called after each try, with or without a session. */
  onEnded(): void {
    const monotonicMs = this.#monotonicMs();
    const sinceMs = this.#onlineSinceMs;
    this.#onlineSinceMs = undefined;
    // A session that ends at once does not mean a restart. Each such try costs the relay a handshake.
    if (sinceMs === undefined || monotonicMs - sinceMs < STABLE_AFTER_MS) return;
    this.#lostAtMs = monotonicMs;
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
        // The try cost the relay a handshake, so these pauses always grow.
        return this.#backoff.nextMs();
    }
  }

  #isRestarting(): boolean {
    return this.#lostAtMs !== undefined && this.#monotonicMs() - this.#lostAtMs < RESTART_WITHIN_MS;
  }
}
