import { AppError } from '@tongtu/contract';

const MAX_WAITING = 4_096;

/**
 * Sends calls of one kind to the server, at most `maxRunning` at a time: fewer than the server takes of one relay. All
 * devices of an installation may come at once, and a call that the server refuses costs them another try.
 */
export class CallQueue {
  readonly #maxRunning: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** Throws what the call throws, and `request.too-many` when too many wait. */
  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#maxRunning) this.#running++;
    else if (this.#waiting.length < MAX_WAITING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else throw new AppError('request.too-many');
    try {
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
