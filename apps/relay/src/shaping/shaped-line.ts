import { type FlowLine, type FlowSink, ShapedFlow } from './shaped-flow.ts';
import { TokenBucket } from './token-bucket.ts';

/** The longest turn of one flow while others wait, and the length of a turn of a slow line in time at its rate. */
const MAX_TURN_BYTES = 16 * 1024;
const MIN_TURN_BYTES = 1024;
const TURN_SECONDS = 0.02;
/** Turns that come closer together are given at once. */
const MIN_WAIT_MS = 2;
/** Timers cannot wait for as long as a turn of the slowest line takes. */
const MAX_WAIT_MS = 3_600_000;

export type ShapingClock = {
  monotonicMs: () => number;
  /** Calls back once; the function returned calls it off. */
  after: (delayMs: number, callback: () => void) => () => void;
};

/** One direction of a device: all flows together keep a rate, and waiting flows take turns. */
export class ShapedLine implements FlowLine {
  readonly #clock: ShapingClock;
  readonly #onBug: (error: unknown) => void;
  /** In the order of their turns. */
  readonly #waiting = new Set<ShapedFlow>();
  #bucket: TokenBucket | undefined;
  #turnBytes = MAX_TURN_BYTES;
  #isPassing = false;
  #cancelTimer: (() => void) | undefined;

  /** `onBug` receives errors that a sink throws, because no caller would see them. */
  constructor(clock: ShapingClock, onBug: (error: unknown) => void) {
    this.#clock = clock;
    this.#onBug = onBug;
  }

  /** While false, bytes need no flow. */
  get isLimited(): boolean {
    return this.#bucket !== undefined;
  }

  /** Null: no limit. */
  setRate(bitsPerSecond: number | null): void {
    const monotonicMs = this.#clock.monotonicMs();
    if (bitsPerSecond === null) {
      this.#bucket = undefined;
    } else {
      const bytesPerSecond = bitsPerSecond / 8;
      if (this.#bucket === undefined) this.#bucket = new TokenBucket(bytesPerSecond, monotonicMs);
      else this.#bucket.setRate(bytesPerSecond, monotonicMs);
      this.#turnBytes = Math.round(Math.min(Math.max(bytesPerSecond * TURN_SECONDS, MIN_TURN_BYTES), MAX_TURN_BYTES));
    }
    this.#stopTimer();
    this.#passWaiting();
  }

  openFlow(sink: FlowSink): ShapedFlow {
    return new ShapedFlow(this, sink);
  }

  tryPass(bytes: number): boolean {
    if (this.#bucket === undefined) return true;
    return this.#waiting.size === 0 && this.#bucket.take(bytes, this.#clock.monotonicMs());
  }

  enter(flow: ShapedFlow): void {
    this.#waiting.add(flow);
    // Otherwise the timer runs already.
    if (this.#waiting.size === 1) this.#passWaiting();
  }

  leave(flow: ShapedFlow): void {
    this.#waiting.delete(flow);
    if (this.#waiting.size === 0) this.#stopTimer();
  }

  #passWaiting(): void {
    // The running loop also reaches flows that enter meanwhile.
    if (this.#isPassing) return;
    this.#isPassing = true;
    let waitMs: number | undefined;
    for (const flow of this.#waiting) {
      const bytes = this.#bucket === undefined ? flow.waitingBytes : Math.min(flow.waitingBytes, this.#turnBytes);
      waitMs = this.#takeTurn(flow, bytes);
      if (waitMs !== undefined) break;
    }
    this.#isPassing = false;
    if (waitMs !== undefined) this.#startTimer(waitMs);
    else this.#stopTimer();
  }

  /** Returns how long the flow has to wait for its turn, and keeps its place; undefined when it has had its turn. */
  #takeTurn(flow: ShapedFlow, bytes: number): number | undefined {
    const monotonicMs = this.#clock.monotonicMs();
    const bucket = this.#bucket;
    if (bucket?.take(bytes, monotonicMs) === false) return bucket.msUntil(bytes, monotonicMs);
    this.#waiting.delete(flow);
    try {
      const passedBytes = flow.takeTurn(bytes);
      bucket?.giveBack(bytes - passedBytes);
    } catch (error) {
      flow.clear();
      this.#onBug(error);
    }
    // At the end of the queue.
    if (flow.canTakeTurn) this.#waiting.add(flow);
    return undefined;
  }

  #startTimer(waitMs: number): void {
    this.#stopTimer();
    this.#cancelTimer = this.#clock.after(Math.min(Math.max(MIN_WAIT_MS, Math.ceil(waitMs)), MAX_WAIT_MS), () => {
      this.#cancelTimer = undefined;
      this.#passWaiting();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
