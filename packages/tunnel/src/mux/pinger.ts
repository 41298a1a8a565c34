import { ProtocolError } from '../errors.ts';

const UINT32 = 2 ** 32;

/** The shortest round trip of a period also counts in the next one, then expires: the network path may have changed. */
const PERIOD_MS = 20_000;

type Waiter = { resolve: (rttMs: number) => void; reject: (error: Error) => void };

/** Measures the round trip, one ping at a time. Calls during a ping share its result. */
export class Pinger {
  readonly #monotonicMs: () => number;
  readonly #send: (value: number) => void;
  readonly #waiters: Waiter[] = [];
  #value = 0;
  #sentAtMs: number | undefined;
  #shortestMs: number | undefined;
  #shortestBeforeMs: number | undefined;
  #periodStartMs = 0;
  #measuredAtMs = 0;

  constructor(options: { monotonicMs: () => number; send: (value: number) => void }) {
    this.#monotonicMs = options.monotonicMs;
    this.#send = options.send;
  }

  /**
   * The best estimate of the round trip without queueing: the shortest of the last 20 to 40 s. A mean would rise with
   * the queues that large windows cause, and so make windows grow further.
   */
  get rttMs(): number | undefined {
    if (this.#shortestMs === undefined || this.#shortestBeforeMs === undefined) return this.#shortestMs;
    return Math.min(this.#shortestMs, this.#shortestBeforeMs);
  }

  ping(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      this.#start();
    });
  }

  /** Measures again when the last measurement is missing or older than `maxAgeMs`. */
  refresh(monotonicMs: number, maxAgeMs: number): void {
    if (this.#shortestMs === undefined || monotonicMs - this.#measuredAtMs > maxAgeMs) this.#start();
  }

  /** Throws ProtocolError for a reply without a ping. */
  onReply(value: number): void {
    if (this.#sentAtMs === undefined || value !== this.#value)
      throw new ProtocolError(`ping reply ${value} not asked for`);
    this.#measuredAtMs = this.#monotonicMs();
    const rttMs = this.#measuredAtMs - this.#sentAtMs;
    this.#sentAtMs = undefined;
    this.#updateShortest(rttMs);
    for (const waiter of this.#waiters.splice(0)) waiter.resolve(rttMs);
  }

  close(createError: () => Error): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(createError());
  }

  #updateShortest(rttMs: number): void {
    if (this.#measuredAtMs - this.#periodStartMs >= PERIOD_MS) {
      this.#periodStartMs = this.#measuredAtMs;
      this.#shortestBeforeMs = this.#shortestMs;
      this.#shortestMs = undefined;
    }
    this.#shortestMs = Math.min(rttMs, this.#shortestMs ?? rttMs);
  }

  #start(): void {
    if (this.#sentAtMs !== undefined) return;
    this.#value = (this.#value + 1) % UINT32;
    this.#sentAtMs = this.#monotonicMs();
    this.#send(this.#value);
  }
}
