/**
 * Runs the tasks of thousands of connections in order, a few at each turn of the event loop, so that other work runs
 * in between. It holds at most one task for each connection.
 */
export class PacedWork {
  readonly #perTurn: number;
  #tasks: (() => void)[] = [];
  #isScheduled = false;

  constructor({ perTurn }: { perTurn: number }) {
    this.#perTurn = perTurn;
  }

  add(task: () => void): void {
    this.#tasks.push(task);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const due = this.#tasks.slice(0, this.#perTurn);
    this.#tasks = this.#tasks.slice(this.#perTurn);
    if (this.#tasks.length > 0) this.#schedule();
    for (const task of due) task();
  }
}
