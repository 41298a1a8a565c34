/** Waiting times that double from `firstMs` to `maxMs`, with jitter so that many clients do not return at once. */
export type Backoff = {
  /** `limitMs` caps this wait, and the next one continues from there. */
  nextMs: (limitMs?: number) => number;
  reset: () => void;
};

/** @example createBackoff({ firstMs: 200, maxMs: 20_000, random: Math.random }) */
export function createBackoff(options: { firstMs: number; maxMs: number; random: () => number }): Backoff {
  let capMs = options.firstMs;
  return {
    nextMs(limitMs = options.maxMs) {
      capMs = Math.min(capMs, limitMs);
      const waitMs = capMs / 2 + (capMs / 2) * options.random();
      capMs = Math.min(capMs * 2, options.maxMs);
      return Math.round(waitMs);
    },
    reset() {
      capMs = options.firstMs;
    },
  };
}
