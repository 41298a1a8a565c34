/**
 * The time at the provider, learned from the Date of its replies. Requests are stamped and notifications judged by it, so
 * that a clock that is wrong by minutes, here or there, loses no payment.
 */
export class ProviderClock {
  /** This machine's clock. */
  readonly wallClockMs: () => number;
  #offsetMs = 0;

  constructor(wallClockMs: () => number) {
    this.wallClockMs = wallClockMs;
  }

  /** The time at the provider. */
  now(): number {
    return this.wallClockMs() + this.#offsetMs;
  }

  learn(dateHeader: string | null): void {
    const theirs = Date.parse(dateHeader ?? '');
    if (!Number.isNaN(theirs)) this.#offsetMs = theirs - this.wallClockMs();
  }
}
