import { MAX_CHANNELS } from '@tongtu/tunnel';

/**
 * How many channels a session needs: two more than streams in use, so that the next stream finds one that is free also
 * while another one gets a fresh connection.
 */
export class ChannelDemand {
  readonly #keptMs: number;
  /** When so many channels (index) were last needed. */
  readonly #neededAtMs: (number | undefined)[] = [];

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** `busyCount`: streams in use at this time. */
  note(busyCount: number, monotonicMs: number): void {
    this.#neededAtMs[neededFor(busyCount)] = monotonicMs;
  }

  /** The most that were needed lately; at least the first one. */
  channelCount(monotonicMs: number): number {
    const count = this.#neededAtMs.findLastIndex((atMs) => atMs !== undefined && monotonicMs - atMs < this.#keptMs);
    return Math.max(count, 1);
  }
}

function neededFor(busyCount: number): number {
  return busyCount === 0 ? 1 : Math.min(busyCount + 2, MAX_CHANNELS);
}
