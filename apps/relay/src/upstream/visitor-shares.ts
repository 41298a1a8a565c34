import { networkOf } from '@tongtu/base';
import { VisitorBusyError, type Waiting } from './upstream-stream.ts';

/**
 * How many waiting requests one with a body counts for: what has arrived of it, up to a window of HTTP/2, is kept
 * meanwhile, of others only the head.
 */
const BODY_WEIGHT = 16;

type Waiter = { begin: () => void; weight: number };
type Share = {
  /** Streams in use, and those that are just being handed to the next waiter. */
  used: number;
  freed: number;
  isServing: boolean;
  waitingWeight: number;
  /** The waiters of each connection. The connection whose turn is next stands first. */
  lines: Map<object, Waiter[]>;
};

/**
 * How many streams to one service each visitor uses, so that no visitor takes them all. A family or an office may share
 * an address, so requests can wait for one.
 */
export class VisitorShares {
  readonly #limit: number;
  readonly #maxWaiting: number;
  readonly #shares = new Map<string, Share>();

  constructor(limit: number, { maxWaiting = 0 }: { maxWaiting?: number } = {}) {
    this.#limit = limit;
    this.#maxWaiting = maxWaiting;
  }

  isFull(address: string): boolean {
    return (this.#shares.get(networkOf(address))?.used ?? 0) >= this.#limit;
  }

  /** Throws VisitorBusyError at the limit. */
  enter(address: string): void {
    if (this.isFull(address)) throw new VisitorBusyError(`${this.#limit} streams for ${networkOf(address)}`);
    const key = networkOf(address);
    const share = this.#shares.get(key);
    if (share !== undefined) share.used++;
    else this.#shares.set(key, { used: 1, freed: 0, isServing: false, waitingWeight: 0, lines: new Map() });
  }

  /**
   * For a full share: calls `begin` once there is room. The place is then taken, as by `enter`, even if `begin` throws.
   * Returns what takes the waiter out of the queue. Throws VisitorBusyError when too many wait.
   */
  wait(address: string, { connection, hasBody }: Waiting, begin: () => void): () => void {
    const share = this.#shares.get(networkOf(address));
    const weight = hasBody ? BODY_WEIGHT : 1;
    if (share === undefined || share.waitingWeight + weight > this.#maxWaiting)
      throw new VisitorBusyError(`too many requests of ${networkOf(address)} wait`);
    const waiter = { begin, weight };
    share.waitingWeight += weight;
    const line = share.lines.get(connection);
    if (line !== undefined) line.push(waiter);
    else share.lines.set(connection, [waiter]);
    return () => remove(share, connection, waiter);
  }

  /** Throws what the first `begin` threw, after the other waiters have had their turn. */
  leave(address: string): void {
    const key = networkOf(address);
    const share = this.#shares.get(key);
    if (share === undefined) return;
    share.freed++;
    // A waiter that fails at once leaves within this loop, so that a thousand of them are no deep recursion.
    if (share.isServing) return;
    share.isServing = true;
    const errors: unknown[] = [];
    for (; share.freed > 0; share.freed--) {
      const waiter = takeNext(share);
      try {
        if (waiter === undefined) share.used--;
        else waiter.begin();
      } catch (error) {
        errors.push(error);
      }
    }
    share.isServing = false;
    if (share.used === 0) this.#shares.delete(key);
    if (errors.length > 0) throw errors[0];
  }
}

function takeNext(share: Share): Waiter | undefined {
  for (const [connection, line] of share.lines) {
    const waiter = line.shift();
    share.lines.delete(connection);
    if (line.length > 0) share.lines.set(connection, line);
    if (waiter !== undefined) share.waitingWeight -= waiter.weight;
    return waiter;
  }
  return undefined;
}

function remove(share: Share, connection: object, waiter: Waiter): void {
  const line = share.lines.get(connection);
  const at = line?.indexOf(waiter) ?? -1;
  if (line === undefined || at < 0) return;
  line.splice(at, 1);
  share.waitingWeight -= waiter.weight;
  if (line.length === 0) share.lines.delete(connection);
}
