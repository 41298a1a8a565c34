import { networkOf } from '@tongtu/base';

const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Visitors whose head was too long for an answer over HTTP/2: the library ends their connection, and a retry would end
 * the same way. For a minute they are offered only HTTP/1.1, where a page says why.
 */
export class LongHeads {
  readonly #monotonicMs: () => number;
  /** Since when, the oldest first. */
  readonly #sinceMs = new Map<string, number>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  note(address: string): void {
    const key = networkOf(address);
    this.#sinceMs.delete(key);
    for (const oldest of this.#sinceMs.keys()) {
      if (this.#sinceMs.size < MAX_REMEMBERED) break;
      this.#sinceMs.delete(oldest);
    }
    this.#sinceMs.set(key, this.#monotonicMs());
  }

  has(address: string): boolean {
    if (this.#sinceMs.size === 0) return false;
    const sinceMs = this.#sinceMs.get(networkOf(address));
    return sinceMs !== undefined && this.#monotonicMs() - sinceMs < REMEMBERED_MS;
  }
}
