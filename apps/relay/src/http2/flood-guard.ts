const BURST = 500;
const PER_SECOND = 50;

/** What frames cost that make work and carry no request. */
const costs = { ping: 1, settings: 20 };

/** A bucket for frames that a visitor needs now and then, and that an attacker sends without end. */
export class FloodGuard {
  #left = BURST;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** False: too many came in too short a time. */
  admits(frame: keyof typeof costs, nowMs: number): boolean {
    this.#left = Math.min(BURST, this.#left + ((nowMs - this.#atMs) / 1000) * PER_SECOND) - costs[frame];
    this.#atMs = nowMs;
    return this.#left >= 0;
  }
}
