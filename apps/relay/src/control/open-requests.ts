import { AppError } from '@tongtu/contract';

const MAX_OPEN = 10_000;

type Open<T> = { resolve: (value: T) => void; reject: (error: AppError) => void; timer: NodeJS.Timeout };

/** Questions to the server that wait for their answer, each for a limited time. */
export class OpenRequests<T> {
  readonly #timeoutMs: number;
  readonly #open = new Map<number, Open<T>>();
  #lastCorrelation = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** `send` says whether the question left. Throws AppError `server.unavailable` when it did not, or no answer came. */
  ask(send: (correlation: number) => boolean): Promise<T> {
    const correlation = ++this.#lastCorrelation;
    if (this.#open.size >= MAX_OPEN || !send(correlation)) return Promise.reject(new AppError('server.unavailable'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.reject(correlation, new AppError('server.unavailable')), this.#timeoutMs);
      this.#open.set(correlation, { resolve, reject, timer });
    });
  }

  resolve(correlation: number, value: T): void {
    this.#take(correlation)?.resolve(value);
  }

  reject(correlation: number, error: AppError): void {
    this.#take(correlation)?.reject(error);
  }

  rejectAll(): void {
    for (const correlation of [...this.#open.keys()]) this.reject(correlation, new AppError('server.unavailable'));
  }

  #take(correlation: number): Open<T> | undefined {
    const open = this.#open.get(correlation);
    this.#open.delete(correlation);
    clearTimeout(open?.timer);
    return open;
  }
}
