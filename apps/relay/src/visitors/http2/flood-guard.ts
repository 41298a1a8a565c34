/** The library counts resets by the same numbers; see sessionOptions. */
export const FLOOD_BURST = 500;
export const FLOOD_PER_SECOND = 50;

/** Pieces of a body with fewer bytes are counted: a program may send some hundred a second, such as lines of a log. */
export const SMALL_PIECE_BYTES = 64;
/** The cost of frames that cause work and carry no request, or next to nothing of one. */
const costs = { ping: 1, settings: 20, reset: 1, piece: 0.05 };

/** A token bucket for frames that a visitor sends rarely and an attacker sends endlessly. */
export class FloodGuard {
  #left = FLOOD_BURST;
  #atMs: number;

  constructor(monotonicMs: number) {
    this.#atMs = monotonicMs;
  }

  get isHalfUsed(): boolean {
    return this.#left < FLOOD_BURST / 2;
  }

  /** False: too many frames in too short a time. */
  admits(frame: keyof typeof costs, monotonicMs: number): boolean {
    this.#left =
      Math.min(FLOOD_BURST, this.#left + ((monotonicMs - this.#atMs) / 1000) * FLOOD_PER_SECOND) - costs[frame];
    this.#atMs = monotonicMs;
    return this.#left >= 0;
  }
}
