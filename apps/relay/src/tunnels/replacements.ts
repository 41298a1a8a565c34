/** How long the older of two agents with one identity must wait: longer with each replacement. */
const WAITS_MS = [60_000, 300_000, 1_800_000] as const;
/** An agent that returns this soon after its wait counts as the same one; after that the count starts again. */
const SETTLED_AFTER_MS = 300_000;

type Last = { atMs: number; step: number };

/** How often each device's connection was replaced lately. */
export class Replacements {
  readonly #last = new Map<number, Last>();

  /** Counts a replacement. `isRepeated`: it is not just a device that changed its network. */
  add(deviceId: number, monotonicMs: number): { retryAfterMs: number; isRepeated: boolean } {
    const last = this.#last.get(deviceId);
    const isRepeated = last !== undefined && monotonicMs - last.atMs < waitMs(last.step) + SETTLED_AFTER_MS;
    const step = isRepeated ? last.step + 1 : 0;
    this.#last.set(deviceId, { atMs: monotonicMs, step });
    return { retryAfterMs: waitMs(step), isRepeated };
  }

  forget(deviceId: number): void {
    this.#last.delete(deviceId);
  }
}

function waitMs(step: number): number {
  return WAITS_MS[Math.min(step, WAITS_MS.length - 1)] ?? 0;
}
