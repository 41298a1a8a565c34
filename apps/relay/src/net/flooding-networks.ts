import { networkOf } from '@tongtu/base';

/** How much work without a request one network may cause over HTTP/2: some leave pages with hundreds of open requests. */
const BURST = 2_000;
const PER_SECOND = 200;
/** How long a network that used up its share is offered HTTP/1.1 alone. */
const REMEMBERED_MS = 600_000;
const MAX_REMEMBERED = 10_000;
const MAX_WAIT_MS = 6_000;

/**
 * New TLS connections of one network begin one after another, `gapMs` apart, but so many as `free` may begin at once after
 * a while without any. A handshake takes the relay about a millisecond.
 */
const usualPace = { gapMs: 20, free: 300 };
const floodPace = { gapMs: 20, free: 30 };

type Share = { left: number; atMs: number };

/**
 * What networks may cost that is no request. A visitor that is cut off for a flood over HTTP/2 comes back at once, so it is
 * its network that must be stopped: for a while it gets HTTP/1.1 alone, where every cancelled request costs a connection,
 * and its connections are admitted slowly. Other visitors of that network wait with it, and are served.
 */
export class FloodingNetworks {
  readonly #monotonicMs: () => number;
  /** Since when a network floods. In each map the one that was set longest ago comes first. */
  readonly #floods = new Map<string, number>();
  /** Of networks that have used some of their work. */
  readonly #shares = new Map<string, Share>();
  /** When the next connection of a network may begin. */
  readonly #nextMs = new Map<string, number>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Counts work without a request. False: the network has caused too much of it, and is remembered. */
  admits(address: string, cost: number): boolean {
    const key = networkOf(address);
    const atMs = this.#monotonicMs();
    const { left: before, atMs: beforeMs } = this.#shares.get(key) ?? { left: BURST, atMs };
    const left = Math.max(0, Math.min(BURST, before + ((atMs - beforeMs) / 1000) * PER_SECOND) - cost);
    putLast(this.#shares, key, { left, atMs });
    if (left === 0) putLast(this.#floods, key, atMs);
    return left > 0;
  }

  has(address: string): boolean {
    return this.#isFlooding(networkOf(address));
  }

  /** How long a new TLS connection must wait for its turn; undefined: too many wait already. */
  waitMs(address: string): number | undefined {
    const key = networkOf(address);
    const { gapMs, free } = this.#isFlooding(key) ? floodPace : usualPace;
    const monotonicMs = this.#monotonicMs();
    const nextMs = Math.max(this.#nextMs.get(key) ?? -Infinity, monotonicMs - free * gapMs);
    const waitMs = Math.max(0, nextMs - monotonicMs);
    if (waitMs > MAX_WAIT_MS) return undefined;
    putLast(this.#nextMs, key, nextMs + gapMs);
    return waitMs;
  }

  #isFlooding(key: string): boolean {
    const sinceMs = this.#floods.get(key);
    return sinceMs !== undefined && this.#monotonicMs() - sinceMs < REMEMBERED_MS;
  }
}

function putLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  for (const oldest of map.keys()) {
    if (map.size < MAX_REMEMBERED) break;
    map.delete(oldest);
  }
  map.set(key, value);
}
