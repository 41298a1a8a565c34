import { networkOf } from '@tongtu/base';

/** Counts connections of one sort, or whatever else has a beginning and an end, per visitor (see `networkOf`) and in all. */
export class ConnectionLimit {
  readonly #limits: { perAddress: number; total: number };
  readonly #perKey = new Map<string, number>();
  #total = 0;

  constructor(limits: { perAddress: number; total: number }) {
    this.#limits = limits;
  }

  hasRoomFor(address: string): boolean {
    return this.#hasRoomFor(networkOf(address));
  }

  /** A function that gives the place back (once, however often it is called); undefined when there is none. */
  enter(address: string): (() => void) | undefined {
    const key = networkOf(address);
    if (!this.#hasRoomFor(key)) return undefined;
    this.#perKey.set(key, (this.#perKey.get(key) ?? 0) + 1);
    this.#total++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#leave(key);
    };
  }

  #hasRoomFor(key: string): boolean {
    return (this.#perKey.get(key) ?? 0) < this.#limits.perAddress && this.#total < this.#limits.total;
  }

  #leave(key: string): void {
    const left = (this.#perKey.get(key) ?? 1) - 1;
    if (left > 0) this.#perKey.set(key, left);
    else this.#perKey.delete(key);
    this.#total--;
  }
}
