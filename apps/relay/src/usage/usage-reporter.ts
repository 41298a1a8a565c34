import type { UsageEntry } from '@tongtu/contract';
import { countSources, mergeSources } from './source-counts.ts';
import type { UsageLedger } from './usage-ledger.ts';

/** The server takes 10 000 of a report, and messages of 4 MB. */
const MAX_REPORT_ENTRIES = 5_000;
/** The most mappings with counts while the server is away; counts of further ones are lost. */
const MAX_WAITING_ENTRIES = 200_000;
/** The most visitors and networks of all entries of a report together: its text stays below 4 MB. */
const MAX_REPORT_SOURCES = 20_000;
/** The most visitors and networks that wait; the requests of further ones are counted without them. */
const MAX_WAITING_SOURCES = 200_000;

export type UsageReport = { sequence: number; entries: UsageEntry[] };

export type UsageReporterDeps = {
  ledger: UsageLedger;
  /** False when the server is away. */
  send: (report: UsageReport) => boolean;
  intervalMs: number;
};

/**
 * Reports the usage to the server, one report at a time: the next one is sent when the server has stored the last. Until
 * then the last is repeated with the same number, so that nothing is lost or counted twice.
 */
export class UsageReporter {
  readonly #deps: UsageReporterDeps;
  readonly #waiting = new Map<number, UsageEntry>();
  #waitingSources = 0;
  #timer: NodeJS.Timeout | undefined;
  #unstored: UsageReport | undefined;
  #lastSequence = 0;
  #onAllStored: (() => void) | undefined;

  constructor(deps: UsageReporterDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => this.report(), this.#deps.intervalMs);
  }

  /** Sends the pending report again, or a new one. Returns false when the server is away. */
  report(): boolean {
    this.#gather();
    this.#unstored ??= this.#nextReport();
    return this.#unstored === undefined || this.#deps.send(this.#unstored);
  }

  onStored(sequence: number): void {
    if (this.#unstored === undefined || sequence < this.#unstored.sequence) return;
    this.#unstored = undefined;
    // Only what did not fit into the last report; new counts wait for the next interval.
    if (this.#waiting.size > 0) this.report();
    else this.#onAllStored?.();
  }

  /** Sends the last report and waits until the server has stored everything, within a limit. Without a server it does not wait. */
  async stop(timeoutMs: number): Promise<void> {
    clearInterval(this.#timer);
    if (!this.report() || this.#unstored === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onAllStored = resolve;
      timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
  }

  #gather(): void {
    for (const entry of this.#deps.ledger.take()) {
      const known = this.#waiting.get(entry.mappingId);
      if (known === undefined && this.#waiting.size >= MAX_WAITING_ENTRIES) continue;
      const sum = known === undefined ? entry : sumOf(known, entry);
      this.#waitingSources += countSources(sum) - (known === undefined ? 0 : countSources(known));
      const isTooMuch = this.#waitingSources > MAX_WAITING_SOURCES;
      if (isTooMuch) this.#waitingSources -= countSources(sum);
      const kept = isTooMuch ? { ...sum, visitors: [], networks: [], isTruncated: true } : sum;
      this.#waiting.set(entry.mappingId, kept);
    }
  }

  #nextReport(): UsageReport | undefined {
    if (this.#waiting.size === 0) return undefined;
    const entries: UsageEntry[] = [];
    let sources = 0;
    for (const entry of this.#waiting.values()) {
      sources += countSources(entry);
      const isFull = entries.length === MAX_REPORT_ENTRIES || sources > MAX_REPORT_SOURCES;
      if (isFull && entries.length > 0) break;
      entries.push(entry);
      this.#waiting.delete(entry.mappingId);
      this.#waitingSources -= countSources(entry);
    }
    return { sequence: ++this.#lastSequence, entries };
  }
}

function sumOf(sum: UsageEntry, entry: UsageEntry): UsageEntry {
  return {
    ...mergeSources(sum, entry),
    bytesIn: sum.bytesIn + entry.bytesIn,
    bytesOut: sum.bytesOut + entry.bytesOut,
    requests: sum.requests + entry.requests,
    ok: sum.ok + entry.ok,
    clientErrors: sum.clientErrors + entry.clientErrors,
    serverErrors: sum.serverErrors + entry.serverErrors,
    failed: sum.failed + entry.failed,
    firstByteMs: sum.firstByteMs + entry.firstByteMs,
    answered: sum.answered + entry.answered,
    latency: sum.latency.map((count, bucket) => count + (entry.latency[bucket] ?? 0)),
  };
}
