/** The library counts resets by the same numbers; see sessionOptions. */
export const FLOOD_BURST = 500;
export const FLOOD_PER_SECOND = 50;

/** What frames cost that make work and carry no request. */
const costs = { ping: 1, settings: 20, reset: 1 };

/** A bucket for frames that a visitor needs now and then, and that an attacker sends without end. */
export class FloodGuard {
  #left = FLOOD_BURST;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** False: too many came in too short a time. */
  admits(frame: keyof typeof costs, nowMs: number): boolean {
    this.#left = Math.min(FLOOD_BURST, this.#left + ((nowMs - this.#atMs) / 1000) * FLOOD_PER_SECOND) - costs[frame];
    this.#atMs = nowMs;
    return this.#left >= 0;
  }
}
