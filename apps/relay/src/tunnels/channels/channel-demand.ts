import { MAX_CHANNELS } from '@tongtu/tunnel';

/** Of a session at this time. */
export type Load = {
  /** Streams in use. */
  busyCount: number;
  /** Channels with a long transfer. */
  bulkCount: number;
  /** Its line loses packets. */
  isLossy: boolean;
};

/** How many channels a session needs. */
export class ChannelDemand {
  readonly #keptMs: number;
  /** When so many channels (index) were last needed. */
  readonly #neededAtMs: (number | undefined)[] = [];

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  note(load: Load, monotonicMs: number): void {
    this.#neededAtMs[neededFor(load)] = monotonicMs;
  }

  /** The most that were needed lately; at least the first one. */
  channelCount(monotonicMs: number): number {
    const count = this.#neededAtMs.findLastIndex((atMs) => atMs !== undefined && monotonicMs - atMs < this.#keptMs);
    return Math.max(count, 1);
  }
}

/**
 * After a lost packet everything behind it on its connection waits: then two more than streams in use, so that the next
 * stream finds one that is free also while another one gets a fresh connection. On a good line what is sent together
 * costs least, and only long transfers are kept apart.
 */
function neededFor({ busyCount, bulkCount, isLossy }: Load): number {
  if (busyCount === 0) return 1;
  return Math.min(2 + (isLossy ? busyCount : bulkCount), MAX_CHANNELS);
}
