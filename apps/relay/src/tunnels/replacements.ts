/** What the older of two agents with one identity is told to wait, longer each time they push each other out. */
const WAITS_MS = [60_000, 300_000, 1_800_000] as const;
/** Back so soon after its wait, the older one is taken for the same agent; later, the matter counts as settled. */
const SETTLED_AFTER_MS = 300_000;

type Last = { atMs: number; step: number };

/** How often each device's connection was taken over by another one lately. */
export class Replacements {
  readonly #last = new Map<number, Last>();

  /** Notes that it happened once more. `isRepeated`: it is more than a device that has just changed its network. */
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
