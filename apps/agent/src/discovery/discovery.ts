import { networkInterfaces } from 'node:os';
import type { DiscoveryReport, DiscoveryResult } from '@tongtu/tunnel';
import type { AgentLog } from '../events/agent-log.ts';
import { type Interfaces, ownSubnets } from './own-subnets.ts';
import { scanLan } from './scan-lan.ts';

const MIN_PAUSE_MS = 5_000;

export type DiscoveryOptions = {
  /** False: the person who runs the agent has switched it off. */
  isEnabled: boolean;
  log: AgentLog;
  monotonicMs: () => number;
  interfaces?: () => Interfaces;
  scan?: typeof scanLan;
};

/** Scans the LAN when a relay asks, one scan at a time whatever the number of relays. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  #isRunning = false;
  #endedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** The last report is of type `end`. Never rejects. */
  async run(report: (report: DiscoveryReport) => void, signal: AbortSignal): Promise<void> {
    report({ type: 'end', result: await this.#scan(report, signal) });
  }

  async #scan(report: (report: DiscoveryReport) => void, signal: AbortSignal): Promise<DiscoveryResult> {
    const { isEnabled, log, monotonicMs, interfaces = networkInterfaces, scan = scanLan } = this.#options;
    if (!isEnabled) return 'switched-off';
    if (this.#isRunning || monotonicMs() - this.#endedAtMs < MIN_PAUSE_MS) return 'busy';
    const subnets = ownSubnets(interfaces());
    if (subnets.length === 0) return 'no-network';
    this.#isRunning = true;
    log.info({ event: 'scanning', addresses: subnets.map(({ address }) => address) }, 'scanning the LAN');
    try {
      return await scan({ subnets, signal, report });
    } catch {
      return 'failed'; // such as too many open files: the console says that it failed, and forwarding goes on
    } finally {
      this.#isRunning = false;
      this.#endedAtMs = monotonicMs();
    }
  }
}
