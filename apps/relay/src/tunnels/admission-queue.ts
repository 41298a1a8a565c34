import type { Socket } from 'node:net';

/** Agents give up a silent connection after 10 s, so a later handshake would be wasted; who is cut off dials again. */
const MAX_WAIT_MS = 8_000;
/** One handshake per turn for each such interval since the last turn: handshakes get about half of a busy process's time. */
const START_EVERY_MS = 4;
const MAX_STARTS_PER_TURN = 16;
/**
 * How many handshakes may be in progress; when all of them answer at once, `LoginTurns` spreads the work. One that takes
 * longer than `UNDER_WAY_MS` no longer counts, or silent connections could keep all other agents out.
 */
const MAX_UNDER_WAY = 48;
const UNDER_WAY_MS = 150;

type AdmissionDeps = {
  monotonicMs: () => number;
  /** Calls back in the next turn of the event loop. */
  nextTurn: (callback: () => void) => void;
  /** Calls back later, unless the returned function is called before. */
  after: (delayMs: number, callback: () => void) => () => void;
  admit: (socket: Socket) => void;
};

/**
 * Agents that have connected and wait for their handshake, first come, first served. A few are let in at each turn of
 * the event loop, so that visitors' work lies between the handshakes of thousands that return at once, not behind them.
 * The caller limits how many wait.
 */
export class AdmissionQueue {
  readonly #deps: AdmissionDeps;
  /** Each with a function that cancels its timer. */
  readonly #waiting = new Map<Socket, () => void>();
  /** Each with its start time. */
  readonly #underWay = new Map<Socket, number>();
  #isOpen = false;
  #isScheduled = false;
  #isTimerSet = false;
  #lastTurnMs = 0;

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
  }

  enter(socket: Socket): void {
    const cancel = this.#deps.after(MAX_WAIT_MS, () => {
      this.#waiting.delete(socket);
      socket.destroy();
    });
    this.#waiting.set(socket, cancel);
    this.#schedule();
  }

  /** It has logged in, or is closed. */
  leave(socket: Socket): void {
    this.#endWait(socket);
    if (this.#underWay.delete(socket)) this.#schedule();
  }

  /** No agent is admitted before. */
  open(): void {
    this.#isOpen = true;
    this.#schedule();
  }

  #endWait(socket: Socket): void {
    this.#waiting.get(socket)?.();
    this.#waiting.delete(socket);
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isOpen || this.#waiting.size === 0) return;
    const monotonicMs = this.#deps.monotonicMs();
    const fullForMs = this.#fullForMs(monotonicMs);
    if (fullForMs > 0) return this.#scheduleAfter(fullForMs);
    this.#isScheduled = true;
    this.#lastTurnMs = monotonicMs;
    this.#deps.nextTurn(() => this.#turn());
  }

  #scheduleAfter(delayMs: number): void {
    if (this.#isTimerSet) return;
    this.#isTimerSet = true;
    this.#deps.after(delayMs, () => {
      this.#isTimerSet = false;
      this.#schedule();
    });
  }

  #turn(): void {
    this.#isScheduled = false;
    const monotonicMs = this.#deps.monotonicMs();
    const turnsWorth = Math.max(Math.ceil((monotonicMs - this.#lastTurnMs) / START_EVERY_MS), 1);
    let startsLeft = Math.min(turnsWorth, MAX_STARTS_PER_TURN, MAX_UNDER_WAY - this.#underWay.size);
    for (const socket of this.#waiting.keys()) {
      if (startsLeft <= 0) break;
      startsLeft--;
      this.#endWait(socket);
      this.#underWay.set(socket, monotonicMs);
      this.#deps.admit(socket);
    }
    this.#schedule();
  }

  /** How long until one more handshake may start, unless one in progress finishes before; zero: at once. */
  #fullForMs(monotonicMs: number): number {
    for (const [socket, sinceMs] of this.#underWay) {
      if (this.#underWay.size < MAX_UNDER_WAY) break;
      const leftMs = sinceMs + UNDER_WAY_MS - monotonicMs;
      if (leftMs > 0) return leftMs;
      this.#underWay.delete(socket);
    }
    return 0;
  }
}
