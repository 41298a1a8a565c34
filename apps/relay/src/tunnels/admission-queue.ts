import type { Socket } from 'node:net';

/** Agents give up a connection that says nothing for 10 s: a handshake after that would be for nobody. */
const MAX_WAIT_MS = 8_000;
/** One more handshake in a turn for each time so long, so that they get about half of a busy process's time. */
const START_EVERY_MS = 4;
const MAX_STARTS_PER_TURN = 16;

type AdmissionDeps = {
  now: () => number;
  /** Runs it in the next turn of the event loop. */
  nextTurn: (callback: () => void) => void;
  admit: (socket: Socket) => void;
};

/**
 * Agents that have connected and wait for their handshake, first come, first served. A few are let in at each turn of
 * the event loop, so that visitors' work lies between the handshakes of thousands that return at once, not behind them.
 * The number of those that wait is limited by whoever lets them in here.
 */
export class AdmissionQueue {
  readonly #deps: AdmissionDeps;
  /** With the time since when each waits. */
  readonly #waiting = new Map<Socket, number>();
  #isOpen = false;
  #isScheduled = false;
  #lastTurnMs = 0;

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#waiting.size;
  }

  enter(socket: Socket): void {
    this.#waiting.set(socket, this.#deps.now());
    socket.once('close', () => this.#waiting.delete(socket));
    this.#schedule();
  }

  /** Nobody is let in before. */
  open(): void {
    this.#isOpen = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isOpen || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    this.#lastTurnMs = this.#deps.now();
    this.#deps.nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const nowMs = this.#deps.now();
    let startsLeft = Math.min(Math.max(Math.ceil((nowMs - this.#lastTurnMs) / START_EVERY_MS), 1), MAX_STARTS_PER_TURN);
    for (const [socket, sinceMs] of this.#waiting) {
      const isLate = nowMs - sinceMs > MAX_WAIT_MS;
      if (!isLate && startsLeft === 0) break;
      this.#waiting.delete(socket);
      if (isLate) {
        socket.destroy();
        continue;
      }
      startsLeft--;
      this.#deps.admit(socket);
    }
    this.#schedule();
  }
}
