import { ProtocolError } from '../errors.ts';

/** The initial window of yamux: what a peer may send on a stream before any window update. */
export const FIRST_WINDOW_BYTES = 256 * 1024;

/** A shorter measured round trip reflects the event loop rather than the network. */
const MIN_RTT_MS = 1;
/** A window of which half is used in this time is larger than its stream needs. */
const SLOW_EPOCH_MS = 10_000;

/**
 * How much windows may grow together. A mux has one, whose parent may be one of the whole process. One stream or mux
 * never holds more than what is then left, so that others can still grow: yamux cannot take a window back.
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

  /** Takes `bytes` for a holder of `heldBytes`. False, and nothing taken, if this budget or a parent refuses. */
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

/** The receive window of a stream. It grows while it is used within two round trips, and shrinks when used slowly. */
export class ReceiveWindow {
  readonly #budget: WindowBudget;
  readonly #maxBytes: number;
  #targetBytes = FIRST_WINDOW_BYTES;
  /** Bytes that the peer may still send. */
  #creditBytes = FIRST_WINDOW_BYTES;
  /** Bytes announced by a frame header and not yet consumed. */
  #heldBytes = 0;
  /** The part of them that was delivered. */
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

  /** Counts a frame by its header. Throws ProtocolError when it exceeds the window. */
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

  /** True when half of the window is free and a window update is due; then call `renew`. */
  consume(bytes: number): boolean {
    if (bytes < 0 || bytes > this.#deliveredBytes)
      throw new Error(`consumed ${bytes} of ${this.#deliveredBytes} bytes`);
    this.#deliveredBytes -= bytes;
    this.#heldBytes -= bytes;
    this.#giveBackUnused();
    return this.#roomBytes() * 2 >= this.#targetBytes;
  }

  /** The bytes to add to the peer's window. Grows or shrinks it by how fast the last half was used. */
  renew(monotonicMs: number, rttMs: number): number {
    const elapsedMs = monotonicMs - this.#epochStartMs;
    this.#epochStartMs = monotonicMs;
    if (elapsedMs < 2 * Math.max(rttMs, MIN_RTT_MS)) this.#grow();
    else if (elapsedMs > SLOW_EPOCH_MS) this.#shrink();
    const bytes = Math.max(0, this.#roomBytes());
    this.#creditBytes += bytes;
    return bytes;
  }

  /** Ends the window and gives its growth back to the budget. */
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

  /** Shrinks without waiting for the half to be used: an idle stream would keep a large window for hours. */
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

  // yamux cannot take a window back: a shrunken window stays charged until the peer has used the difference.
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
