import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** How busy this process was since the last reading: 0 idle, 1 no moment to spare. */
export class LoadMeter {
  #last: EventLoopUtilization = performance.eventLoopUtilization();

  read(): number {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, this.#last);
    this.#last = current;
    return Number.isFinite(utilization) ? Math.min(1, Math.max(0, utilization)) : 0;
  }
}
