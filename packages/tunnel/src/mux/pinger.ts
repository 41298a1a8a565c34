import { ProtocolError } from '../errors.ts';

/** The shortest round trip of a period also counts in the next one, then expires: the network path may have changed. */
const PERIOD_MS = 20_000;
/** Enough to follow a transfer over a line that is long and fast. */
const MAX_UNDER_WAY = 256;

type Waiter = { resolve: (rttMs: number) => void; reject: (error: Error) => void };
type Ping<Mark> = { value: number; sentAtMs: number; mark: Mark };

export type PingerOptions<Mark> = {
  monotonicMs: () => number;
  /** Sends a ping. Returns its value, which the reply repeats, and what `onReply` gets with the reply. */
  send: () => { value: number; mark: Mark };
  onReply: (rttMs: number, mark: Mark) => void;
};

/** Measures the round trip. */
export class Pinger<Mark> {
  readonly #options: PingerOptions<Mark>;
  readonly #waiters: Waiter[] = [];
  readonly #underWay: Ping<Mark>[] = [];
  /** Replies that are still to come for pings that a later one has overtaken. */
  #overtakenCount = 0;
  #shortestMs: number | undefined;
  #shortestBeforeMs: number | undefined;
  #periodStartMs = 0;
  #measuredAtMs = 0;

  constructor(options: PingerOptions<Mark>) {
    this.#options = options;
  }

  /** When the oldest ping that waits for its reply was sent; undefined: none does. */
  get sentAtMs(): number | undefined {
    return this.#underWay[0]?.sentAtMs;
  }

  /**
   * The best estimate of the round trip without queueing: the shortest of the last 20 to 40 s. A mean would rise with
   * the queues that large windows cause, and so make windows grow further.
   */
  get rttMs(): number | undefined {
    if (this.#shortestMs === undefined || this.#shortestBeforeMs === undefined) return this.#shortestMs;
    return Math.min(this.#shortestMs, this.#shortestBeforeMs);
  }

  /** The result of the next reply; sends a ping only if none is under way. */
  ping(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      if (this.#underWay.length === 0) this.start();
    });
  }

  /** Measures again when the last measurement is missing or older than `maxAgeMs`. */
  refresh(monotonicMs: number, maxAgeMs: number): void {
    if (this.#underWay.length > 0) return;
    if (this.#shortestMs === undefined || monotonicMs - this.#measuredAtMs > maxAgeMs) this.start();
  }

  /** Sends one more ping, also beside others. */
  start(): void {
    if (this.#underWay.length >= MAX_UNDER_WAY) return;
    const sentAtMs = this.#options.monotonicMs();
    this.#underWay.push({ ...this.#options.send(), sentAtMs });
  }

  /** Throws ProtocolError for a reply without a ping. */
  receive(value: number): void {
    const at = this.#underWay.findIndex((ping) => ping.value === value);
    const ping = this.#underWay[at];
    if (ping === undefined) {
      // The yamux of Go answers each ping in a goroutine of its own.
      if (this.#overtakenCount === 0) throw new ProtocolError(`ping reply ${value} not asked for`);
      this.#overtakenCount--;
      return;
    }
    this.#underWay.splice(0, at + 1);
    this.#overtakenCount += at;
    this.#measuredAtMs = this.#options.monotonicMs();
    const rttMs = this.#measuredAtMs - ping.sentAtMs;
    this.#updateShortest(rttMs);
    this.#options.onReply(rttMs, ping.mark);
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
}
