import { networkOf } from '@tongtu/base';
import { VisitorBusyError } from './upstream-stream.ts';

/** How many streams to one service each visitor uses, so that no visitor takes them all. */
export class VisitorShares {
  readonly #limit: number;
  readonly #used = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Throws VisitorBusyError at the limit. */
  enter(address: string): void {
    const key = networkOf(address);
    const used = this.#used.get(key) ?? 0;
    if (used >= this.#limit) throw new VisitorBusyError(`${used} streams for ${key}`);
    this.#used.set(key, used + 1);
  }

  leave(address: string): void {
    const key = networkOf(address);
    const left = (this.#used.get(key) ?? 1) - 1;
    if (left > 0) this.#used.set(key, left);
    else this.#used.delete(key);
  }
}
