/** How much of something may be held at a time. What is held here counts in the budgets above it, too. */
export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #above: readonly MemoryBudget[];
  /** Granted though a budget above is full. */
  readonly #reservedBytes: number;
  #heldBytes = 0;

  constructor(maxBytes: number, above: readonly MemoryBudget[] = [], { reservedBytes = 0 } = {}) {
    this.#maxBytes = maxBytes;
    this.#above = above;
    this.#reservedBytes = reservedBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get freeBytes(): number {
    const above = Math.min(Infinity, ...this.#above.map(({ freeBytes }) => freeBytes));
    return Math.min(this.#maxBytes - this.#heldBytes, Math.max(above, this.#reservedBytes - this.#heldBytes));
  }

  hold(bytes: number): void {
    this.#heldBytes += bytes;
    for (const budget of this.#above) budget.hold(bytes);
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
    for (const budget of this.#above) budget.release(bytes);
  }
}
