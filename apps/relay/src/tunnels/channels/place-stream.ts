/** What counts when a new stream gets its channel. */
export type ChannelLoad = {
  readonly number: number;
  /** How long its device has owed the answer to a ping; Infinity without a connection. */
  readonly silentMs: number;
  /** How long an answer may take on a good line. */
  readonly patienceMs: number;
  /** It carries a long transfer. */
  readonly isBulk: boolean;
  /** What waits here for the device. */
  readonly backlogBytes: number;
  /** Streams in use. */
  readonly busyCount: number;
};

/** Smaller differences of what waits are less than a stream's turn, and say nothing. */
const BACKLOG_STEP_BYTES = 64 * 1024;

/** `isSpread`: each stream gets a channel with as few others as there are, because the line loses packets. */
type Placing = { isSpread: boolean };

/**
 * The best channel for a new stream: one that answers, and does not carry a long transfer behind which a short exchange
 * would wait; then the one with the least before it. If none answers, the one that was silent for the shortest time.
 */
export function placeStream<Channel extends ChannelLoad>(
  channels: readonly Channel[],
  placing: Placing,
): Channel | undefined {
  let best: Channel | undefined;
  for (const channel of channels) if (best === undefined || compare(channel, best, placing) < 0) best = channel;
  return best;
}

/** Whether a stream may stay on its channel for a new exchange, because no other one is better than by its number. */
export function isPlacedWell(channel: ChannelLoad, channels: readonly ChannelLoad[], placing: Placing): boolean {
  const best = placeStream(channels, placing);
  return best === undefined || compareLoad(channel, best, placing) <= 0;
}

function compare(a: ChannelLoad, b: ChannelLoad, placing: Placing): number {
  return compareLoad(a, b, placing) || a.number - b.number;
}

function compareLoad(a: ChannelLoad, b: ChannelLoad, { isSpread }: Placing): number {
  const isSilent = a.silentMs > a.patienceMs;
  if (isSilent !== b.silentMs > b.patienceMs) return isSilent ? 1 : -1;
  // Not their difference: without a connection both are infinite.
  if (isSilent && a.silentMs !== b.silentMs) return a.silentMs < b.silentMs ? -1 : 1;
  const difference = Number(a.isBulk) - Number(b.isBulk) || backlogSteps(a) - backlogSteps(b);
  return difference !== 0 || !isSpread ? difference : a.busyCount - b.busyCount;
}

function backlogSteps({ backlogBytes }: ChannelLoad): number {
  return Math.floor(backlogBytes / BACKLOG_STEP_BYTES);
}
