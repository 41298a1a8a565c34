import { networkOf } from '@tongtu/base';

/** Of wrong passwords and keys. */
export const WRONG_TRIES_PER_MINUTE = 20;
const WINDOW_MS = 60_000;
/** Beyond it the oldest are forgotten: an attacker with that many networks is not stopped by a limit for each. */
const MAX_ENTRIES = 50_000;

type Entry = { count: number; sinceMs: number };

/** Limits what one network (see `networkOf`) tries at one place, by a count for each minute. */
export class TryLimit {
  readonly #monotonicMs: () => number;
  readonly #perMinute: number;
  readonly #entries = new Map<string, Entry>();

  constructor(monotonicMs: () => number, { perMinute }: { perMinute: number }) {
    this.#monotonicMs = monotonicMs;
    this.#perMinute = perMinute;
  }

  /** Whether another try is refused, right or wrong. */
  isExhausted(place: number, address: string): boolean {
    return (this.#find(keyOf(place, address))?.count ?? 0) >= this.#perMinute;
  }

  note(place: number, address: string): void {
    const key = keyOf(place, address);
    const entry = this.#find(key);
    if (entry !== undefined) return void entry.count++;
    this.#entries.set(key, { count: 1, sinceMs: this.#monotonicMs() });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
  }

  #find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#monotonicMs() - entry.sinceMs < WINDOW_MS) return entry;
    this.#entries.delete(key);
    return undefined;
  }
}

function keyOf(place: number, address: string): string {
  return `${place} ${networkOf(address)}`;
}
