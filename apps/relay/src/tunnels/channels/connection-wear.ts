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
  /** For so long after a loss the line counts as lossy. */
  lossKeptMs: number;
  monotonicMs: () => number;
};

/** Watches the losses of a session's connections, and decides which channels of a session get a fresh connection, because theirs has lost much. */
export class ConnectionWear {
  readonly #deps: ConnectionWearDeps;
  /** When each channel got its connection, or was last named for another one. */
  readonly #renewedAtMs: number[] = [];

  readonly #seenLosses = new WeakMap<Duplex, number>();
  #lossSeenAtMs = -Number.MAX_SAFE_INTEGER;

  constructor(deps: ConnectionWearDeps) {
    this.#deps = deps;
  }

  /** Whether a connection has lost something lately. */
  get isLossy(): boolean {
    return this.#deps.monotonicMs() - this.#lossSeenAtMs < this.#deps.lossKeptMs;
  }

  /** Called now and then while the connections are used. */
  watch(sockets: readonly Duplex[]): void {
    for (const socket of sockets) this.#countLosses(socket);
  }

  onJoined(channel: number): void {
    this.#renewedAtMs[channel] = this.#deps.monotonicMs();
  }

  /** Asked between two exchanges, when the channel has no stream in use. True at most once in a while. */
  takeRenewal(channel: number, socket: Duplex | undefined): boolean {
    const { monotonicMs } = this.#deps;
    const renewedAtMs = this.#renewedAtMs[channel] ?? Number.NEGATIVE_INFINITY;
    if (socket === undefined || monotonicMs() - renewedAtMs < RENEW_AFTER_MS) return false;
    if (this.#countLosses(socket) < WORN_SEGMENTS) return false;
    this.#renewedAtMs[channel] = monotonicMs();
    return true;
  }

  #countLosses(socket: Duplex): number {
    const lost = this.#deps.lostSegments(socket);
    if (lost - (this.#seenLosses.get(socket) ?? 0) >= WORN_SEGMENTS) this.#lossSeenAtMs = this.#deps.monotonicMs();
    this.#seenLosses.set(socket, lost);
    return lost;
  }
}
