export type IdleTimes = { idleMs: number; warningMs: number; monotonicMs: () => number };

/** Warns, and then ends, after a time in which nobody has touched it. */
export class IdleClock implements Disposable {
  readonly #times: IdleTimes;
  readonly #onIdle: () => void;
  readonly #listeners = new Set<(secondsLeft: number) => void>();
  #touchedAtMs: number;
  #isWarned = false;
  #timer: NodeJS.Timeout;

  constructor(times: IdleTimes, onIdle: () => void) {
    this.#times = times;
    this.#onIdle = onIdle;
    this.#touchedAtMs = times.monotonicMs();
    this.#timer = this.#arm(times.idleMs - times.warningMs);
  }

  touch(): void {
    this.#touchedAtMs = this.#times.monotonicMs();
    this.#isWarned = false;
  }

  onWarning(listener: (secondsLeft: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  /** One timer that is set anew when it is due, because sessions are touched with each key. */
  #arm(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#check(), afterMs).unref();
  }

  #check(): void {
    const { idleMs, warningMs, monotonicMs } = this.#times;
    const leftMs = this.#touchedAtMs + idleMs - monotonicMs();
    if (leftMs <= 0) return this.#onIdle();
    if (leftMs > warningMs) {
      this.#timer = this.#arm(leftMs - warningMs);
      return;
    }
    if (!this.#isWarned) for (const listener of this.#listeners) listener(Math.round(leftMs / 1_000));
    this.#isWarned = true;
    this.#timer = this.#arm(Math.min(leftMs, 1_000));
  }
}
