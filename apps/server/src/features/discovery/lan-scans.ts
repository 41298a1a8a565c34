import { randomUUID } from 'node:crypto';
import { AppError } from '@tongtu/contract';
import type { DiscoveryReport, DiscoveryResult, SeenHost } from '@tongtu/tunnel';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { claimScan, endScan, isDiscoveryEnabled } from './lan-scan-store.ts';
import { Findings } from './store-findings.ts';
import { VendorTable } from './vendors/vendor-table.ts';

/** More than an agent may report. */
const MAX_WAITING_HOSTS = 256;

export type LanScansDeps = {
  db: Db;
  log: Logger;
  /** Has a device scan; the last report is of type `end`. False when none of its relays is connected to this process. */
  discover: (device: { id: number; relayIds: string[] }, onReport: (report: DiscoveryReport) => void) => boolean;
};

/** The scans that this server process has asked for, until they are stored. */
export class LanScans implements AsyncDisposable {
  readonly #deps: LanScansDeps;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(deps: LanScansDeps) {
    this.#deps = deps;
  }

  /** Throws discovery.off, discovery.running, server.unavailable. Goes on after it has resolved. */
  async start(device: { id: number; relayIds: string[] }): Promise<void> {
    const { db, discover } = this.#deps;
    const run = { deviceId: device.id, runId: randomUUID() };
    if (!(await claimScan(db, run.deviceId, run.runId))) {
      throw new AppError((await isDiscoveryEnabled(db, device.id)) ? 'discovery.running' : 'discovery.off');
    }
    if (device.relayIds.length === 0) return await endScan(db, run, 'offline');
    const reports = new Reports();
    if (!discover(device, (report) => reports.add(report))) {
      await endScan(db, run, 'lost');
      throw new AppError('server.unavailable');
    }
    const task = this.#store(run, reports).catch((err: unknown) => {
      this.#deps.log.error({ err, deviceId: device.id }, 'could not store what a scan found');
    });
    this.#running.add(task);
    void task.finally(() => this.#running.delete(task));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  async #store(run: { deviceId: number; runId: string }, reports: Reports): Promise<void> {
    const { db } = this.#deps;
    const stop = () => reports.add({ type: 'end', result: 'lost' });
    this.#stopping.signal.addEventListener('abort', stop, { once: true });
    try {
      const findings = await Findings.open(db, run, await VendorTable.load());
      for (;;) {
        const { hosts, percent, result } = await reports.next();
        if (!(await findings.store(db, hosts, percent))) return;
        if (result !== undefined) return await endScan(db, run, result);
      }
    } finally {
      this.#stopping.signal.removeEventListener('abort', stop);
    }
  }
}

type Batch = { hosts: SeenHost[]; percent: number; result: DiscoveryResult | undefined };

/** Reports that are not stored yet. A host that is reported again replaces itself, so a fast device fills no memory. */
class Reports {
  readonly #hosts = new Map<string, SeenHost>();
  #percent = 0;
  #result: DiscoveryResult | undefined;
  #onChange: () => void = () => {};
  #hasChanged = false;

  add(report: DiscoveryReport): void {
    if (this.#result !== undefined) return;
    switch (report.type) {
      case 'progress':
        this.#percent = report.percent;
        break;
      case 'hosts':
        for (const host of report.hosts) {
          if (this.#hosts.has(host.address) || this.#hosts.size < MAX_WAITING_HOSTS)
            this.#hosts.set(host.address, host);
        }
        break;
      case 'end':
        this.#result = report.result;
    }
    this.#hasChanged = true;
    this.#onChange();
  }

  async next(): Promise<Batch> {
    if (!this.#hasChanged) await new Promise<void>((resolve) => (this.#onChange = resolve));
    this.#hasChanged = false;
    const hosts = [...this.#hosts.values()];
    this.#hosts.clear();
    return { hosts, percent: this.#percent, result: this.#result };
  }
}
