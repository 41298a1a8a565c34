import { AppError } from '@tongtu/contract';

export type TaskQueueLimits = {
  maxRunning: number;
  maxWaitingPerOwner: number;
  maxWaiting: number;
};

/** Runs few expensive tasks at once: one per owner at a time, and the owners in turn (round robin). */
export class TaskQueue {
  readonly #limits: TaskQueueLimits;
  readonly #busy = new Set<string>();
  /** In the order in which the owners get their turn. */
  readonly #queues = new Map<string, (() => void)[]>();
  #waiting = 0;

  constructor(limits: TaskQueueLimits) {
    this.#limits = limits;
  }

  /** Runs the task when its turn comes. Throws `request.too-many` at once when too many tasks are waiting. */
  async run<Result>(owner: string, task: () => Promise<Result>): Promise<Result> {
    await this.#waitForTurn(owner);
    try {
      return await task();
    } finally {
      this.#busy.delete(owner);
      this.#startNext();
    }
  }

  async #waitForTurn(owner: string): Promise<void> {
    // A task that can start at once overtakes no other: each waiting one waits for its owner's current task or a free place.
    if (this.#canStart(owner)) {
      this.#busy.add(owner);
      return;
    }
    const queue = this.#queues.get(owner) ?? [];
    const { maxWaitingPerOwner, maxWaiting } = this.#limits;
    if (queue.length >= maxWaitingPerOwner || this.#waiting >= maxWaiting)
      throw new AppError('request.too-many', { retryAfterSeconds: 1 });
    this.#waiting++;
    this.#queues.set(owner, queue);
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  #startNext(): void {
    for (const [owner, queue] of this.#queues) {
      if (!this.#canStart(owner)) continue;
      const start = queue.shift();
      this.#queues.delete(owner);
      if (queue.length > 0) this.#queues.set(owner, queue); // at the end of the map
      this.#waiting--;
      this.#busy.add(owner);
      start?.();
      return;
    }
  }

  #canStart(owner: string): boolean {
    return this.#busy.size < this.#limits.maxRunning && !this.#busy.has(owner);
  }
}
