import { AppError } from '@tongtu/contract';

const MAX_PENDING = 10_000;

type Pending<T> = { resolve: (value: T) => void; reject: (error: AppError) => void; timer: NodeJS.Timeout };

/** Calls to the server that wait for their reply, each for a limited time. */
export class PendingRpcs<T> {
  readonly #timeoutMs: number;
  readonly #pending = new Map<number, Pending<T>>();
  #lastCorrelation = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** `send` says whether the call left. Throws AppError `server.unavailable` when it did not, or no reply came. */
  call(send: (correlation: number) => boolean): Promise<T> {
    const correlation = ++this.#lastCorrelation;
    if (this.#pending.size >= MAX_PENDING || !send(correlation))
      return Promise.reject(new AppError('server.unavailable'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.reject(correlation, new AppError('server.unavailable')), this.#timeoutMs);
      this.#pending.set(correlation, { resolve, reject, timer });
    });
  }

  resolve(correlation: number, value: T): void {
    this.#take(correlation)?.resolve(value);
  }

  reject(correlation: number, error: AppError): void {
    this.#take(correlation)?.reject(error);
  }

  rejectAll(): void {
    for (const correlation of [...this.#pending.keys()]) this.reject(correlation, new AppError('server.unavailable'));
  }

  #take(correlation: number): Pending<T> | undefined {
    const pending = this.#pending.get(correlation);
    this.#pending.delete(correlation);
    clearTimeout(pending?.timer);
    return pending;
  }
}
