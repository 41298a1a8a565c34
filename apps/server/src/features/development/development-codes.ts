import type { Logger } from 'pino';

const MAX_KEPT = 50;

export type DevelopmentCode = { sentAt: Date; channel: 'sms' | 'mail'; address: string; purpose: string; code: string };

/** Writes codes to the log and keeps the last ones for `/dev/codes`, in place of sending them. Not for production. */
export class DevelopmentCodes {
  readonly #log: Logger;
  readonly #codes: DevelopmentCode[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  add(code: Omit<DevelopmentCode, 'sentAt'>): void {
    this.#log.warn(code, 'development: a code is logged in place of being sent');
    this.#codes.unshift({ sentAt: new Date(), ...code });
    this.#codes.length = Math.min(this.#codes.length, MAX_KEPT);
  }

  /** Newest first. */
  list(): readonly DevelopmentCode[] {
    return this.#codes;
  }
}
