import { ProtocolError } from './protocol-error.ts';

/** What yamux lets a peer send on a stream before it has heard from us. */
export const FIRST_WINDOW_BYTES = 256 * 1024;

/** Below this a measured round trip says more about turns of the event loop than about the network. */
const MIN_RTT_MS = 1;
/** A window that took this long to be half used is larger than its stream needs. */
const SLOW_EPOCH_MS = 10_000;

/**
 * How much windows may grow together; a mux has one, which may draw on one for the whole process. Nobody who draws on a
 * budget gets more than what is left of it then, so that those who came first, and whose windows yamux cannot take
 * back, leave something to others.
 */
export class WindowBudget {
  readonly #parent: WindowBudget | undefined;
  readonly #maxBytes: number;
  #freeBytes: number;

  constructor(maxBytes: number, parent?: WindowBudget) {
    this.#maxBytes = maxBytes;
    this.#freeBytes = maxBytes;
    this.#parent = parent;
  }

  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** False, and nothing taken, when this budget or a parent cannot spare so much to one that holds this already. */
  take(bytes: number, heldBytes: number): boolean {
    if (bytes + heldBytes > this.#freeBytes - bytes) return false;
    if (this.#parent?.take(bytes, this.#maxBytes - this.#freeBytes) === false) return false;
    this.#freeBytes -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#freeBytes += bytes;
    this.#parent?.giveBack(bytes);
  }
}

/** What a peer may send on one stream: grows while the stream empties it within two round trips, shrinks when slow. */
export class ReceiveWindow {
  readonly #budget: WindowBudget;
  readonly #maxBytes: number;
  #targetBytes = FIRST_WINDOW_BYTES;
  /** What the peer may still send. */
  #creditBytes = FIRST_WINDOW_BYTES;
  /** Announced by a frame header and not yet consumed. */
  #heldBytes = 0;
  /** The part of it that was handed on. */
  #deliveredBytes = 0;
  #chargedBytes = 0;
  #epochStartMs: number;

  constructor(budget: WindowBudget, maxBytes: number, monotonicMs: number) {
    this.#budget = budget;
    this.#maxBytes = maxBytes;
    this.#epochStartMs = monotonicMs;
  }

  get creditBytes(): number {
    return this.#creditBytes;
  }

  get targetBytes(): number {
    return this.#targetBytes;
  }

  /** Books a frame by its header alone. Throws ProtocolError when it is longer than the peer was allowed. */
  reserve(bytes: number, monotonicMs: number): void {
    if (bytes > this.#creditBytes) {
      throw new ProtocolError(`${bytes} bytes sent into a window of ${this.#creditBytes}`);
    }
    if (monotonicMs - this.#epochStartMs > SLOW_EPOCH_MS) this.#shrinkAfterRest(monotonicMs);
    this.#creditBytes -= bytes;
    this.#heldBytes += bytes;
  }

  deliver(bytes: number): void {
    this.#deliveredBytes += bytes;
  }

  /** True when so much room has come together that the peer should be told; then call `renew`. */
  consume(bytes: number): boolean {
    if (bytes < 0 || bytes > this.#deliveredBytes)
      throw new Error(`consumed ${bytes} of ${this.#deliveredBytes} bytes`);
    this.#deliveredBytes -= bytes;
    this.#heldBytes -= bytes;
    this.#giveBackUnused();
    return this.#roomBytes() * 2 >= this.#targetBytes;
  }

  /** The bytes to add to the peer's window, growing or shrinking it by the pace of the last half. */
  renew(monotonicMs: number, rttMs: number): number {
    const elapsedMs = monotonicMs - this.#epochStartMs;
    this.#epochStartMs = monotonicMs;
    if (elapsedMs < 2 * Math.max(rttMs, MIN_RTT_MS)) this.#grow();
    else if (elapsedMs > SLOW_EPOCH_MS) this.#shrink();
    const bytes = Math.max(0, this.#roomBytes());
    this.#creditBytes += bytes;
    return bytes;
  }

  /** Ends the window: what it had grown by goes back to the budget. */
  release(): void {
    this.#budget.giveBack(this.#chargedBytes);
    this.#chargedBytes = 0;
  }

  #grow(): void {
    const target = Math.min(this.#targetBytes * 2, this.#maxBytes);
    const extra = target - FIRST_WINDOW_BYTES - this.#chargedBytes;
    if (target <= this.#targetBytes || (extra > 0 && !this.#budget.take(extra, this.#chargedBytes))) return;
    this.#chargedBytes = Math.max(this.#chargedBytes, target - FIRST_WINDOW_BYTES);
    this.#targetBytes = target;
  }

  /** A half that is not used up in time is not waited for, or a stream that fell silent would stay large for hours. */
  #shrinkAfterRest(monotonicMs: number): void {
    if (this.#targetBytes === FIRST_WINDOW_BYTES) return;
    let elapsedMs = monotonicMs - this.#epochStartMs;
    for (; elapsedMs > SLOW_EPOCH_MS && this.#targetBytes > FIRST_WINDOW_BYTES; elapsedMs -= SLOW_EPOCH_MS)
      this.#shrink();
    this.#epochStartMs = monotonicMs;
  }

  #shrink(): void {
    this.#targetBytes = Math.max(FIRST_WINDOW_BYTES, Math.floor(this.#targetBytes / 2));
    this.#giveBackUnused();
  }

  // yamux cannot take a window back: the charge of a shrunken one stays until the peer has used up the difference.
  #giveBackUnused(): void {
    const exposedBytes = Math.max(this.#targetBytes, this.#creditBytes + this.#heldBytes) - FIRST_WINDOW_BYTES;
    if (exposedBytes >= this.#chargedBytes) return;
    this.#budget.giveBack(this.#chargedBytes - exposedBytes);
    this.#chargedBytes = exposedBytes;
  }

  #roomBytes(): number {
    return this.#targetBytes - this.#creditBytes - this.#heldBytes;
  }
}
