import { LATENCY_BOUNDS_MS, latencyBucketOf, type UsageEntry } from '@tongtu/contract';
import type { MappingMeter, UsageVisitor } from './mapping-meter.ts';
import { SourceCounts } from './source-counts.ts';

/** Counts one mapping's traffic, and calls back when there is something new to report. */
export class CountingMeter implements MappingMeter {
  readonly #mappingId: number;
  readonly #onChanged: (meter: CountingMeter) => void;
  #usage: UsageEntry;
  readonly #sources = new SourceCounts();
  #isChanged = false;

  constructor(mappingId: number, onChanged: (meter: CountingMeter) => void) {
    this.#mappingId = mappingId;
    this.#onChanged = onChanged;
    this.#usage = emptyUsage(mappingId);
  }

  begin(visitor: UsageVisitor | undefined): void {
    this.#change().requests++;
    if (visitor !== undefined) this.#sources.count(visitor);
  }

  answered(status: number | undefined, firstByteMs: number): void {
    const usage = this.#change();
    usage.answered++;
    const bucket = latencyBucketOf(firstByteMs);
    usage.latency[bucket] = (usage.latency[bucket] ?? 0) + 1;
    usage.firstByteMs += Math.max(0, firstByteMs);
    if (status === undefined || status < 400) usage.ok++;
    else if (status < 500) usage.clientErrors++;
    else usage.serverErrors++;
  }

  failed(): void {
    this.#change().failed++;
  }

  addBytesIn(bytes: number): void {
    this.#change().bytesIn += bytes;
  }

  addBytesOut(bytes: number): void {
    this.#change().bytesOut += bytes;
  }

  /** What was counted since the last time. */
  take(): UsageEntry {
    const usage = this.#sources.takeInto(this.#usage);
    this.#usage = emptyUsage(this.#mappingId);
    this.#isChanged = false;
    return usage;
  }

  #change(): UsageEntry {
    if (!this.#isChanged) {
      this.#isChanged = true;
      this.#onChanged(this);
    }
    return this.#usage;
  }
}

function emptyUsage(mappingId: number): UsageEntry {
  return {
    mappingId,
    bytesIn: 0,
    bytesOut: 0,
    requests: 0,
    ok: 0,
    clientErrors: 0,
    serverErrors: 0,
    failed: 0,
    firstByteMs: 0,
    answered: 0,
    latency: Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, () => 0),
    visitors: [],
    networks: [],
    isTruncated: false,
  };
}
