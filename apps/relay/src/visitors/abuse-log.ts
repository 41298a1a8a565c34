import type { Logger } from 'pino';

const INTERVAL_MS = 60_000;

/** Tells of visitors that are cut off: one line a minute, however many they are. */
export class AbuseLog {
  readonly #log: Logger;
  readonly #now: () => number;
  #toldMs = -Infinity;
  #untold = 0;

  constructor(log: Logger, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  report(abuse: { visitorIp: string; reason: string }): void {
    const nowMs = this.#now();
    if (nowMs - this.#toldMs < INTERVAL_MS) {
      this.#untold++;
      return;
    }
    this.#log.warn({ ...abuse, othersBefore: this.#untold }, 'an HTTP/2 visitor was cut off');
    this.#toldMs = nowMs;
    this.#untold = 0;
  }
}
