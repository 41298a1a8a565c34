/** About two milliseconds of work, most of it for the keys. */
const LOGINS_PER_TURN = 4;

/**
 * The turns of the event loop at which logins are checked. Logins arrive together after a pause of the network or of
 * this process; then the work of visitors lies between them.
 */
export class LoginTurns {
  readonly #nextTurn: (callback: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  #leftNow = LOGINS_PER_TURN;
  #isScheduled = false;

  /** `nextTurn` calls back in the next turn of the event loop. */
  constructor(nextTurn: (callback: () => void) => void) {
    this.#nextTurn = nextTurn;
  }

  /** Resolves when the login may be checked, first come, first served. */
  async take(): Promise<void> {
    this.#schedule();
    if (this.#leftNow > 0) this.#leftNow--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const begun = this.#waiting.splice(0, LOGINS_PER_TURN);
    this.#leftNow = LOGINS_PER_TURN - begun.length;
    if (begun.length > 0) this.#schedule();
    for (const begin of begun) begin();
  }
}
