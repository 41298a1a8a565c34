/**
 * Shares the event loop between accounts. What a target sends is handled in this process, and a target decides what that
 * costs: small messages, long lists. An account whose targets have used up their time waits until the loop has served
 * everybody else. One that is alone loses nothing but the way through the loop.
 */
export class Turns {
  readonly #turnMs: number;
  readonly #monotonicMs: () => number;
  readonly #waiting: AccountTurn[] = [];
  #isScheduled = false;

  constructor(turnMs: number, monotonicMs: () => number) {
    this.#turnMs = turnMs;
    this.#monotonicMs = monotonicMs;
  }

  of(): AccountTurn {
    return new AccountTurn({
      turnMs: this.#turnMs,
      monotonicMs: this.#monotonicMs,
      wait: (account) => this.#wait(account),
    });
  }

  #wait(account: AccountTurn): void {
    this.#waiting.push(account);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    // After what sockets have for the others.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.shift()?.begin();
      this.#schedule();
    });
  }
}

/** Reads of a few bytes each, of all connections of an account: afterwards each waits, and becomes larger meanwhile. */
const SMALL_READS = 2_000;
const SMALL_READS_A_SECOND = 1_000;

type AccountTurnDeps = { turnMs: number; monotonicMs: () => number; wait: (account: AccountTurn) => void };

/** The time of one account's targets. */
export class AccountTurn {
  readonly #deps: AccountTurnDeps;
  readonly #queue: (() => void)[] = [];
  #usedMs = 0;
  #isWaiting = false;
  #smallReads = SMALL_READS;
  #countedAtMs: number;

  constructor(deps: AccountTurnDeps) {
    this.#deps = deps;
    this.#countedAtMs = deps.monotonicMs();
  }

  /** Counts a read of a few bytes. False: the account has had too many of them. */
  countSmallRead(): boolean {
    const monotonicMs = this.#deps.monotonicMs();
    const more = ((monotonicMs - this.#countedAtMs) / 1_000) * SMALL_READS_A_SECOND;
    this.#smallReads = Math.max(0, Math.min(SMALL_READS, this.#smallReads + more) - 1);
    this.#countedAtMs = monotonicMs;
    return this.#smallReads > 0;
  }

  /** Runs it now, or when the account has time again. Work that is waiting keeps its order. */
  run(work: () => void): void {
    if (this.#isWaiting) {
      this.#queue.push(work);
      return;
    }
    this.#time(work);
  }

  /** The account may go on. */
  begin(): void {
    this.#isWaiting = false;
    this.#usedMs = 0;
    while (!this.#isWaiting) {
      const work = this.#queue.shift();
      if (work === undefined) return;
      this.#time(work);
    }
  }

  #time(work: () => void): void {
    const { turnMs, monotonicMs, wait } = this.#deps;
    const begunMs = monotonicMs();
    try {
      work();
    } finally {
      this.#usedMs += monotonicMs() - begunMs;
      if (this.#usedMs >= turnMs && !this.#isWaiting) {
        this.#isWaiting = true;
        wait(this);
      }
    }
  }
}
