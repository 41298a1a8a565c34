import { MAX_VISIT_BATCH, type UnrecordedVisits, type VisitRecord } from '@tongtu/contract';
import type { VisitLog } from './visit-log.ts';

export type VisitReport = { sequence: number; records: VisitRecord[]; unrecorded: UnrecordedVisits[] };

export type VisitReporterDeps = {
  log: VisitLog;
  /** False when the server is away. */
  send: (report: VisitReport) => boolean;
  intervalMs: number;
};

/**
 * Reports the visits to the server, one report at a time, as UsageReporter does. While the server is away or slow, the log
 * fills up, and then only counts: nothing waits for it.
 */
export class VisitReporter {
  readonly #deps: VisitReporterDeps;
  #timer: NodeJS.Timeout | undefined;
  #unstored: VisitReport | undefined;
  #lastSequence = 0;
  #onAllStored: (() => void) | undefined;

  constructor(deps: VisitReporterDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => {
      // A report on its way is not sent again: it may be large. The next greeting repeats it.
      if (this.#unstored === undefined) this.report();
    }, this.#deps.intervalMs);
  }

  /** Sends the pending report again, or a new one. Returns false when the server is away. */
  report(): boolean {
    this.#unstored ??= this.#nextReport();
    return this.#unstored === undefined || this.#deps.send(this.#unstored);
  }

  onStored(sequence: number): void {
    if (this.#unstored === undefined || sequence < this.#unstored.sequence) return;
    this.#unstored = undefined;
    if (this.#onAllStored !== undefined || this.#deps.log.waitingCount >= MAX_VISIT_BATCH) this.report();
    if (this.#unstored === undefined) this.#onAllStored?.();
  }

  /** Sends what is left and waits until it is stored, within a limit. Without a server it does not wait. */
  async stop(timeoutMs: number): Promise<void> {
    clearInterval(this.#timer);
    const allStored = Promise.withResolvers<void>();
    this.#onAllStored = allStored.resolve;
    if (!this.report() || this.#unstored === undefined) return;
    const timer = setTimeout(allStored.resolve, timeoutMs);
    await allStored.promise;
    clearTimeout(timer);
  }

  #nextReport(): VisitReport | undefined {
    const { records, unrecorded } = this.#deps.log.take(MAX_VISIT_BATCH);
    if (records.length === 0 && unrecorded.length === 0) return undefined;
    return { sequence: ++this.#lastSequence, records, unrecorded };
  }
}
