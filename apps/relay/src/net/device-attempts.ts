import { MAX_RELAY_ATTEMPTS, type RelayAttempt } from '@tongtu/contract';

const REPORT_AFTER_MS = 1_000;

export type DeviceAttemptsDeps = {
  /** False when the server is away. */
  send: (attempts: RelayAttempt[]) => boolean;
};

/**
 * Reports to the server which devices were not let in, so that who is just adding one learns it. Anybody can cause
 * attempts: within a second each kind of an address counts once, and what is beyond one message is left out.
 */
export class DeviceAttempts {
  readonly #deps: DeviceAttemptsDeps;
  readonly #waiting = new Map<string, RelayAttempt>();
  #isScheduled = false;

  constructor(deps: DeviceAttemptsDeps) {
    this.#deps = deps;
  }

  note(attempt: RelayAttempt): void {
    const key = `${attempt.kind} ${attempt.ip} ${attempt.deviceId}`;
    if (this.#waiting.size >= MAX_RELAY_ATTEMPTS && !this.#waiting.has(key)) return;
    this.#waiting.set(key, attempt);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => this.#report(), REPORT_AFTER_MS).unref();
  }

  #report(): void {
    this.#isScheduled = false;
    const attempts = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#deps.send(attempts);
  }
}
