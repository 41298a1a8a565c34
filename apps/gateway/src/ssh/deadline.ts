/** Expires when a target takes too long. */
export class Deadline {
  readonly #timeoutMs: number;
  readonly #onExpired: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(timeoutMs: number, onExpired: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onExpired = onExpired;
    this.#start();
  }

  /** Does not count the time of the user. Afterwards it begins anew. */
  async exempt<T>(ask: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    try {
      return await ask();
    } finally {
      if (!this.#isStopped) this.#start();
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#timer = setTimeout(this.#onExpired, this.#timeoutMs);
  }
}
