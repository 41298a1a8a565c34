import { networkOf } from '@tongtu/base';

/** Counts connections, or other things with an end, per network (see `networkOf`) and in total. */
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

  /** A function that releases the place (once, even if it is called more often); undefined when there is none. */
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
