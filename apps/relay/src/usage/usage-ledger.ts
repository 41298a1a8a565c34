import type { UsageEntry } from '@tongtu/contract';
import { CountingMeter } from './counting-meter.ts';

/** Makes the meters, and collects their counts. It keeps no reference to a meter with nothing to report. */
export class UsageLedger {
  readonly #changed = new Set<CountingMeter>();

  createMeter(mappingId: number): CountingMeter {
    return new CountingMeter(mappingId, (meter) => this.#changed.add(meter));
  }

  /** What was counted since the last time; a mapping may come more than once. */
  take(): UsageEntry[] {
    const entries: UsageEntry[] = [];
    for (const meter of this.#changed) entries.push(meter.take());
    this.#changed.clear();
    return entries;
  }
}
