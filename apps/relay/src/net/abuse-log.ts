import type { Logger } from 'pino';

const INTERVAL_MS = 60_000;

const messages = {
  http2: 'an HTTP/2 visitor was cut off',
  connections: 'too many connections: some are turned away',
  tunnel: 'a tunnel connection broke the protocol',
} as const;

type Told = { atMs: number; untold: number };

/** Tells of what is held off: one line a minute of each kind, however much it is. */
export class AbuseLog {
  readonly #log: Logger;
  readonly #monotonicMs: () => number;
  readonly #told = new Map<string, Told>();

  constructor(log: Logger, monotonicMs: () => number) {
    this.#log = log;
    this.#monotonicMs = monotonicMs;
  }

  report(kind: keyof typeof messages, facts: { ip: string; at?: string; deviceId?: number; reason?: string }): void {
    const monotonicMs = this.#monotonicMs();
    const told = this.#told.get(kind);
    if (told !== undefined && monotonicMs - told.atMs < INTERVAL_MS) {
      told.untold++;
      return;
    }
    this.#log.warn({ ...facts, othersBefore: told?.untold ?? 0 }, messages[kind]);
    this.#told.set(kind, { atMs: monotonicMs, untold: 0 });
  }
}
