import { VisitorBusyError } from '../visitors/upstream-stream.ts';

/** How many of one device's streams each visitor's address uses now, so that no one takes them all. */
export class VisitorShares {
  readonly #limit: number;
  readonly #used = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Throws VisitorBusyError at the limit. */
  enter(address: string): void {
    const used = this.#used.get(address) ?? 0;
    if (used >= this.#limit) throw new VisitorBusyError(`${used} streams for ${address}`);
    this.#used.set(address, used + 1);
  }

  leave(address: string): void {
    const left = (this.#used.get(address) ?? 1) - 1;
    if (left > 0) this.#used.set(address, left);
    else this.#used.delete(address);
  }
}
