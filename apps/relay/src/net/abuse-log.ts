import type { Logger } from 'pino';

const INTERVAL_MS = 60_000;

const messages = {
  http2: 'an HTTP/2 visitor was cut off',
  connections: 'too many connections: some are turned away',
  udp: 'too many UDP conversations: the longest idle ones end',
  tunnel: 'a tunnel connection broke the protocol',
  frpc: 'a connection for frpc broke the protocol',
} as const;

type LastReport = { atMs: number; omitted: number };

/** Logs refused abuse: at most one line a minute of each kind. */
export class AbuseLog {
  readonly #log: Logger;
  readonly #monotonicMs: () => number;
  readonly #lastReports = new Map<string, LastReport>();

  constructor(log: Logger, monotonicMs: () => number) {
    this.#log = log;
    this.#monotonicMs = monotonicMs;
  }

  report(kind: keyof typeof messages, facts: { ip: string; at?: string; deviceId?: number; reason?: string }): void {
    const monotonicMs = this.#monotonicMs();
    const last = this.#lastReports.get(kind);
    if (last !== undefined && monotonicMs - last.atMs < INTERVAL_MS) {
      last.omitted++;
      return;
    }
    this.#log.warn({ ...facts, othersBefore: last?.omitted ?? 0 }, messages[kind]);
    this.#lastReports.set(kind, { atMs: monotonicMs, omitted: 0 });
  }
}
