import type { ServerToRelay } from '@tongtu/contract';
import { DiscoveryReport } from '@tongtu/tunnel';

const MAX_PENDING = 100;

export type OnDiscoveryReport = (report: DiscoveryReport) => void;

/** Scans that devices do for the server by one relay. Each ends with one report of type `end`. */
export class PendingDiscoveries {
  readonly #send: (message: ServerToRelay) => void;
  readonly #pending = new Map<number, OnDiscoveryReport>();
  #correlation = 0;
  #isClosed = false;

  constructor(send: (message: ServerToRelay) => void) {
    this.#send = send;
  }

  start(deviceId: number, onReport: OnDiscoveryReport): void {
    if (this.#isClosed) return onReport({ type: 'end', result: 'lost' });
    if (this.#pending.size >= MAX_PENDING) return onReport({ type: 'end', result: 'busy' });
    const correlation = ++this.#correlation;
    this.#pending.set(correlation, onReport);
    this.#send({ type: 'discover', correlation, deviceId });
  }

  /** Ignores reports of an unknown scan. One that does not match the schema ends its scan. */
  onReport(correlation: number, content: unknown): void {
    const onReport = this.#pending.get(correlation);
    if (onReport === undefined) return;
    const report = DiscoveryReport.safeParse(content).data ?? ({ type: 'end', result: 'failed' } as const);
    if (report.type === 'end') this.#pending.delete(correlation);
    onReport(report);
  }

  /** Ends all, because the relay has disconnected. */
  close(): void {
    this.#isClosed = true;
    for (const onReport of this.#pending.values()) onReport({ type: 'end', result: 'lost' });
    this.#pending.clear();
  }
}
