import type { ServerToRelay } from '@tongtu/contract';
import { DiscoveryReport } from '@tongtu/tunnel';
import { PendingReplies } from './pending-replies.ts';

export type OnDiscoveryReport = (report: DiscoveryReport) => void;

/** Scans that devices do for the server by one relay. Each ends with one report of type `end`. */
export class PendingDiscoveries extends PendingReplies<DiscoveryReport> {
  readonly #send: (message: ServerToRelay) => void;

  constructor(send: (message: ServerToRelay) => void) {
    super({ maxPending: 100, busy: { type: 'end', result: 'busy' }, lost: { type: 'end', result: 'lost' } });
    this.#send = send;
  }

  start(deviceId: number, onReport: OnDiscoveryReport): void {
    this.open((correlation) => this.#send({ type: 'discover', correlation, deviceId }), onReport);
  }

  /** A report that does not match the schema ends its scan. */
  onReport(correlation: number, content: unknown): void {
    if (!this.has(correlation)) return;
    const report = DiscoveryReport.safeParse(content).data ?? ({ type: 'end', result: 'failed' } as const);
    this.reply(correlation, report, { isLast: report.type === 'end' });
  }
}
