/** Counts connections of one sort, per address and in all. */
export class ConnectionLimit {
  readonly #limits: { perAddress: number; total: number };
  readonly #perAddress = new Map<string, number>();
  #total = 0;

  constructor(limits: { perAddress: number; total: number }) {
    this.#limits = limits;
  }

  /** A function that gives the place back (once, however often it is called); undefined when there is none. */
  enter(address: string): (() => void) | undefined {
    const count = this.#perAddress.get(address) ?? 0;
    if (count >= this.#limits.perAddress || this.#total >= this.#limits.total) return undefined;
    this.#perAddress.set(address, count + 1);
    this.#total++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#leave(address);
    };
  }

  #leave(address: string): void {
    const left = (this.#perAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
    this.#total--;
  }
}
