/** How many visits of one mapping are recorded: some at once, and so many in a second after that. */
const RATES = {
  denied: { burst: 30, perSecond: 1 },
  others: { burst: 1_000, perSecond: 50 },
} as const;
/** The most records of one mapping that wait for the server. */
const MAX_WAITING = 5_000;

export type VisitClass = keyof typeof RATES;

/** Decides which visits of one mapping are recorded, and counts the others. */
export class VisitBudget {
  /** Records that wait for the server. */
  waiting = 0;
  readonly #tokens = { denied: RATES.denied.burst as number, others: RATES.others.burst as number };
  #unrecorded = { denied: 0, others: 0 };
  #filledAtMs: number;

  constructor(monotonicMs: number) {
    this.#filledAtMs = monotonicMs;
  }

  /** False: there are too many, and it is only counted. */
  take(type: VisitClass, monotonicMs: number): boolean {
    this.#fill(monotonicMs);
    if (this.#tokens[type] < 1 || this.waiting >= MAX_WAITING) return false;
    this.#tokens[type]--;
    return true;
  }

  skip(type: VisitClass): void {
    this.#unrecorded[type]++;
  }

  /** What was counted and not recorded since the last time; undefined: nothing. */
  takeUnrecorded(): { denied: number; others: number } | undefined {
    const counts = this.#unrecorded;
    if (counts.denied === 0 && counts.others === 0) return undefined;
    this.#unrecorded = { denied: 0, others: 0 };
    return counts;
  }

  /** Whether it is as good as a new one. */
  isUnused(monotonicMs: number): boolean {
    this.#fill(monotonicMs);
    const { denied, others } = this.#tokens;
    const isFull = denied === RATES.denied.burst && others === RATES.others.burst;
    return isFull && this.waiting === 0 && this.#unrecorded.denied === 0 && this.#unrecorded.others === 0;
  }

  #fill(monotonicMs: number): void {
    const seconds = Math.max(0, monotonicMs - this.#filledAtMs) / 1000;
    this.#filledAtMs = monotonicMs;
    for (const type of ['denied', 'others'] as const) {
      const { burst, perSecond } = RATES[type];
      this.#tokens[type] = Math.min(burst, this.#tokens[type] + seconds * perSecond);
    }
  }
}
