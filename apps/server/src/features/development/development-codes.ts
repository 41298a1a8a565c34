import type { Logger } from 'pino';

const MAX_KEPT = 50;

export type DevelopmentCode = { sentAt: Date; channel: 'sms' | 'mail'; address: string; purpose: string; code: string };

/** Where codes go while nothing can send them: the log, and the page that lists the last ones. Never for production. */
export class DevelopmentCodes {
  readonly #log: Logger;
  readonly #codes: DevelopmentCode[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  add(code: Omit<DevelopmentCode, 'sentAt'>): void {
    this.#log.warn(code, 'development: a code that nobody was sent');
    this.#codes.unshift({ sentAt: new Date(), ...code });
    this.#codes.length = Math.min(this.#codes.length, MAX_KEPT);
  }

  /** The latest first. */
  list(): readonly DevelopmentCode[] {
    return this.#codes;
  }
}
