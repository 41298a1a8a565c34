/** Lets callers wait until a collection is empty. Its owner calls `onEnded` after each removal. */
export class EmptyWait {
  readonly #isEmpty: () => boolean;
  readonly #waiting = new Set<() => void>();

  constructor(isEmpty: () => boolean) {
    this.#isEmpty = isEmpty;
  }

  onEnded(): void {
    if (this.#waiting.size === 0 || !this.#isEmpty()) return;
    for (const resolve of this.#waiting) resolve();
  }

  /** Resolves when the collection is empty, or after the time limit. */
  async wait(timeoutMs: number): Promise<void> {
    if (this.#isEmpty()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = setTimeout(resolve, timeoutMs);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}
