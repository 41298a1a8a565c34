import type { ShapingClock } from '../shaping/shaped-line.ts';

type Timer = { atMs: number; callback: () => void };

/** Time that passes only when a test advances it. */
export class VirtualClock implements ShapingClock {
  readonly #timers = new Set<Timer>();
  #monotonicMs = 0;
  longestDelayMs = 0;

  /** Bound, so that it can be passed on alone. */
  readonly monotonicMs = (): number => this.#monotonicMs;

  get timerCount(): number {
    return this.#timers.size;
  }

  readonly after = (delayMs: number, callback: () => void): (() => void) => {
    this.longestDelayMs = Math.max(this.longestDelayMs, delayMs);
    const timer = { atMs: this.#monotonicMs + delayMs, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** Advances the time and runs the due callbacks in order. */
  advance(ms: number): void {
    const endMs = this.#monotonicMs + ms;
    for (let next = this.#next(endMs); next !== undefined; next = this.#next(endMs)) {
      this.#timers.delete(next);
      this.#monotonicMs = next.atMs;
      next.callback();
    }
    this.#monotonicMs = endMs;
  }

  #next(untilMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.atMs <= untilMs && (next === undefined || timer.atMs < next.atMs)) next = timer;
    }
    return next;
  }
}
