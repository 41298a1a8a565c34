import { AppError } from '@tongtu/contract';

export type TurnLimits = {
  atOnce: number;
  /** How much of one owner's may wait, and of all together. */
  waitingEach: number;
  waiting: number;
};

/** Lets few do at once what costs much: of each owner one at a time, and the owners by turns, however much one of them asks for. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #busy = new Set<string>();
  /** The owner whose turn is next comes first. */
  readonly #queues = new Map<string, (() => void)[]>();
  #waiting = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Does the work when its turn comes. Throws request.too-many at once where too much is waiting already. */
  async take<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    await this.#turnOf(owner);
    try {
      return await work();
    } finally {
      this.#busy.delete(owner);
      this.#letNext();
    }
  }

  async #turnOf(owner: string): Promise<void> {
    // Whenever somebody could go, nobody waits who could go before them.
    if (this.#mayGo(owner)) {
      this.#busy.add(owner);
      return;
    }
    const queue = this.#queues.get(owner) ?? [];
    const { waitingEach, waiting } = this.#limits;
    if (queue.length >= waitingEach || this.#waiting >= waiting)
      throw new AppError('request.too-many', { retryAfterSeconds: 1 });
    this.#waiting++;
    this.#queues.set(owner, queue);
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  #letNext(): void {
    for (const [owner, queue] of this.#queues) {
      if (!this.#mayGo(owner)) continue;
      const go = queue.shift();
      this.#queues.delete(owner);
      if (queue.length > 0) this.#queues.set(owner, queue); // behind all others
      this.#waiting--;
      this.#busy.add(owner);
      go?.();
      return;
    }
  }

  #mayGo(owner: string): boolean {
    return this.#busy.size < this.#limits.atOnce && !this.#busy.has(owner);
  }
}
