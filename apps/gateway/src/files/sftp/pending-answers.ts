import { TargetError } from '../../session/live-session.ts';

/** Notices a target that has stopped answering, though its connection is alive. */
export class PendingAnswers {
  readonly #timeoutMs: number;
  readonly #onSilence: () => void;
  /** Not a race with one promise for all, which would keep every answer until it settles. */
  readonly #pending = new Set<(error: Error) => void>();
  #timer: NodeJS.Timeout | undefined;

  /** `onSilence` is called when the target is asked and nothing has come for so long. */
  constructor(timeoutMs: number, onSilence: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onSilence = onSilence;
  }

  /** The answer, or a TargetError `timed-out`. Any answer shows that the target is there. */
  async await<T>(answer: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#pending.add(reject);
    this.#timer ??= setTimeout(() => this.#expire(), this.#timeoutMs);
    answer.then(resolve, reject);
    try {
      return await promise;
    } finally {
      this.#pending.delete(reject);
      if (this.#pending.size > 0) this.#timer?.refresh();
      else this.#stop();
    }
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #expire(): void {
    this.#stop();
    for (const reject of this.#pending) reject(new TargetError('timed-out'));
    this.#onSilence();
  }
}
