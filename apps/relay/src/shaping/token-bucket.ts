/** The burst after an idle time, in time at the full rate, and its minimum in bytes. */
const BURST_SECONDS = 0.25;
const MIN_BURST_BYTES = 64 * 1024;

/** How many bytes may pass so that a rate is kept over time. It reads no clock: every call passes the time. */
export class TokenBucket {
  #bytesPerSecond: number;
  #burstBytes: number;
  #bytes: number;
  #filledAtMs: number;

  constructor(bytesPerSecond: number, monotonicMs: number) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#burstBytes = burstOf(bytesPerSecond);
    this.#bytes = this.#burstBytes;
    this.#filledAtMs = monotonicMs;
  }

  /** Keeps the tokens of the old rate, up to the burst of the new one. */
  setRate(bytesPerSecond: number, monotonicMs: number): void {
    this.#fill(monotonicMs);
    this.#bytesPerSecond = bytesPerSecond;
    this.#burstBytes = burstOf(bytesPerSecond);
    this.#bytes = Math.min(this.#bytes, this.#burstBytes);
  }

  /** Takes nothing and returns false when there are not enough. */
  take(bytes: number, monotonicMs: number): boolean {
    this.#fill(monotonicMs);
    if (bytes > this.#bytes) return false;
    this.#bytes -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#bytes = Math.min(this.#bytes + bytes, this.#burstBytes);
  }

  /** How long until so many bytes may go, which must be no more than a burst. */
  msUntil(bytes: number, monotonicMs: number): number {
    this.#fill(monotonicMs);
    return Math.max(0, ((bytes - this.#bytes) * 1000) / this.#bytesPerSecond);
  }

  #fill(monotonicMs: number): void {
    const gainedBytes = ((monotonicMs - this.#filledAtMs) * this.#bytesPerSecond) / 1000;
    this.#bytes = Math.min(this.#bytes + gainedBytes, this.#burstBytes);
    this.#filledAtMs = monotonicMs;
  }
}

function burstOf(bytesPerSecond: number): number {
  return Math.max(bytesPerSecond * BURST_SECONDS, MIN_BURST_BYTES);
}
