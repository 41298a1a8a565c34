/** Until the rate is known: what a fast line carries in some milliseconds and a line of 10 Mbit/s in 0.1 s. */
const FIRST_LIMIT_BYTES = 128 * 1024;
/** One turn of a stream. */
const MIN_LIMIT_BYTES = 32 * 1024;
/**
 * A line of 1 Gbit/s over 100 ms has less in flight. A resumable mux keeps all that is, and a peer could claim any rate by
 * its replies.
 */
const MAX_LIMIT_BYTES = 16 * 1024 * 1024;
/** How long bytes may wait in queues below the mux: in this process, in the system, in routers. */
const QUEUE_MS = 100;
/**
 * Behind a lost packet everything waits for its repetition, which takes one more round trip, and sometimes another: with
 * less a line that loses packets could never be filled, because each measured rate would confirm the one before.
 */
const FLIGHT_RTTS = 3;
/** A shorter measured round trip reflects the event loop rather than the network. */
const MIN_RTT_MS = 1;
/** The highest rate of a period also counts in the next one. */
const PERIOD_MS = 5_000;
/** So often in a long transfer the queues are emptied, to see the round trip without them. */
const PROBE_EVERY_MS = 15_000;
/** This part of the limit is below what the line itself holds, also where the limit is mostly queue. */
const PROBE_PART = 4;

/** A ping and its reply: what was on its way when the ping was sent, and for how long. */
export type FlightSample = {
  inFlightBytes: number;
  elapsedMs: number;
  /** More would have been sent at that time, had it been allowed: the line, not the application, set the rate. */
  wasBusy: boolean;
};

/**
 * How many bytes may be on their way to the peer, so that an urgent frame waits for 0.1 s or two round trips at most
 * behind them, whatever the system and the routers would take: the measured rate times the round trip, and that on top.
 * Rate and round trip are found as BBR finds them (draft-ietf-ccwg-bbr): the highest rate and the shortest round trip of
 * the last seconds; the round trip now and then with a smaller limit, because it would include our own queue.
 */
export class InFlightLimit {
  /** Bytes in a millisecond. */
  #rate: number | undefined;
  #rateBefore: number | undefined;
  #periodStartMs = 0;
  #probedAtMs = Number.NEGATIVE_INFINITY;
  #probeEndMs = Number.NEGATIVE_INFINITY;

  /** `rttMs`: the shortest round trip lately; undefined: not yet measured. */
  bytes(monotonicMs: number, rttMs: number | undefined): number {
    if (this.#rate === undefined || rttMs === undefined) return FIRST_LIMIT_BYTES;
    const rate = Math.max(this.#rate, this.#rateBefore ?? 0);
    const flightMs = Math.max(FLIGHT_RTTS * rttMs, rttMs + QUEUE_MS);
    const bytes = Math.min(rate * flightMs, MAX_LIMIT_BYTES);
    return Math.max(monotonicMs < this.#probeEndMs ? bytes / PROBE_PART : bytes, MIN_LIMIT_BYTES);
  }

  add({ inFlightBytes, elapsedMs, wasBusy }: FlightSample, monotonicMs: number): void {
    const rate = inFlightBytes / Math.max(elapsedMs, MIN_RTT_MS);
    // What little a calm connection has on its way says nothing of its line.
    if (!wasBusy && (this.#rate === undefined || rate < this.#rate)) return;
    if (monotonicMs - this.#periodStartMs >= PERIOD_MS) {
      this.#periodStartMs = monotonicMs;
      this.#rateBefore = this.#rate;
      this.#rate = rate;
    } else this.#rate = Math.max(rate, this.#rate ?? 0);
    if (wasBusy && monotonicMs - this.#probedAtMs >= PROBE_EVERY_MS) {
      this.#probedAtMs = monotonicMs;
      this.#probeEndMs = monotonicMs + 2 * elapsedMs;
    }
  }
}
