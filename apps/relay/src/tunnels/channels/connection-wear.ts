import type { Duplex } from 'node:stream';

/**
 * A connection that has lost so much sends little at a time from then on (RFC 5681, RFC 9438), where it has no better
 * congestion control than that.
 */
const WORN_SEGMENTS = 2;
/** A fresh connection costs both sides a handshake. */
const RENEW_AFTER_MS = 1_000;

export type ConnectionWearDeps = {
  /** How many segments a connection has lost since it began, on the way here or to the device; see `readTcpInfo`. */
  lostSegments: (socket: Duplex) => number;
  monotonicMs: () => number;
};

/** Decides which channels of a session get a fresh connection, because theirs has lost much. */
export class ConnectionWear {
  readonly #deps: ConnectionWearDeps;
  /** When each channel got its connection, or was last named for another one. */
  readonly #renewedAtMs: number[] = [];

  constructor(deps: ConnectionWearDeps) {
    this.#deps = deps;
  }

  onJoined(channel: number): void {
    this.#renewedAtMs[channel] = this.#deps.monotonicMs();
  }

  /** Asked between two exchanges, when the channel has no stream in use. True at most once in a while. */
  takeRenewal(channel: number, socket: Duplex | undefined): boolean {
    const { monotonicMs, lostSegments } = this.#deps;
    const renewedAtMs = this.#renewedAtMs[channel] ?? Number.NEGATIVE_INFINITY;
    if (socket === undefined || monotonicMs() - renewedAtMs < RENEW_AFTER_MS) return false;
    if (lostSegments(socket) < WORN_SEGMENTS) return false;
    this.#renewedAtMs[channel] = monotonicMs();
    return true;
  }
}
