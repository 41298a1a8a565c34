import type { UsageEntry } from '@tongtu/contract';
import type { MappingMeter } from './mapping-meter.ts';

/** Counts one mapping's traffic, and calls back when there is something new to report. */
export class CountingMeter implements MappingMeter {
  readonly #mappingId: number;
  readonly #onChanged: (meter: CountingMeter) => void;
  #usage: UsageEntry;
  #isChanged = false;

  constructor(mappingId: number, onChanged: (meter: CountingMeter) => void) {
    this.#mappingId = mappingId;
    this.#onChanged = onChanged;
    this.#usage = emptyUsage(mappingId);
  }

  begin(): void {
    this.#change().requests++;
  }

  answered(status: number | undefined, firstByteMs: number): void {
    const usage = this.#change();
    usage.answered++;
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
    const usage = this.#usage;
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
  };
}
