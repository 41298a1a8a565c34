/** What may go at once after a rest, in time at the full rate, and never less than this many bytes. */
const BURST_SECONDS = 0.25;
const MIN_BURST_BYTES = 64 * 1024;

/** How many bytes may go now, so that a rate is kept over time. Reads no clock: every call is told the time. */
export class TokenBucket {
  #bytesPerSecond: number;
  #burstBytes: number;
  #bytes: number;
  #filledAtMs: number;

  constructor(bytesPerSecond: number, nowMs: number) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#burstBytes = burstOf(bytesPerSecond);
    this.#bytes = this.#burstBytes;
    this.#filledAtMs = nowMs;
  }

  /** Keeps what has come together at the old rate, as far as the new one would let it. */
  setRate(bytesPerSecond: number, nowMs: number): void {
    this.#fill(nowMs);
    this.#bytesPerSecond = bytesPerSecond;
    this.#burstBytes = burstOf(bytesPerSecond);
    this.#bytes = Math.min(this.#bytes, this.#burstBytes);
  }

  /** Takes nothing and returns false when there are fewer. */
  take(bytes: number, nowMs: number): boolean {
    this.#fill(nowMs);
    if (bytes > this.#bytes) return false;
    this.#bytes -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#bytes = Math.min(this.#bytes + bytes, this.#burstBytes);
  }

  /** How long until so many bytes may go, which must be no more than a burst. */
  msUntil(bytes: number, nowMs: number): number {
    this.#fill(nowMs);
    return Math.max(0, ((bytes - this.#bytes) * 1000) / this.#bytesPerSecond);
  }

  #fill(nowMs: number): void {
    const gainedBytes = ((nowMs - this.#filledAtMs) * this.#bytesPerSecond) / 1000;
    this.#bytes = Math.min(this.#bytes + gainedBytes, this.#burstBytes);
    this.#filledAtMs = nowMs;
  }
}

function burstOf(bytesPerSecond: number): number {
  return Math.max(bytesPerSecond * BURST_SECONDS, MIN_BURST_BYTES);
}
