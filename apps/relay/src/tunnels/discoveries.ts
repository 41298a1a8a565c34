import type { AgentMessage, DiscoveryReport, DiscoveryResult } from '@tongtu/tunnel';
import type { ControlChannel } from './control-channel.ts';

/** An agent reports every second, and at most this many hosts and parts of hosts. */
const MAX_REPORTS = 3000;
/** The agent stops by itself before. */
const MAX_DURATION_MS = 180_000;

export type OnReport = (report: DiscoveryReport) => void;

type Open = { correlation: number; onReport: OnReport; timer: NodeJS.Timeout; reportCount: number };

/** Scans of one agent's LAN, one at a time. Each ends with one report of type `end`, whatever the agent does. */
export class Discoveries {
  readonly #control: ControlChannel;
  readonly #features: ReadonlySet<string>;
  #open: Open | undefined;
  #lastCorrelation = 0;

  constructor(control: ControlChannel, features: ReadonlySet<string>) {
    this.#control = control;
    this.#features = features;
  }

  start(onReport: OnReport): void {
    if (!this.#features.has('discovery')) return onReport({ type: 'end', result: 'outdated' });
    if (this.#open !== undefined) return onReport({ type: 'end', result: 'busy' });
    const correlation = ++this.#lastCorrelation;
    const timer = setTimeout(() => this.#end('lost'), MAX_DURATION_MS);
    this.#open = { correlation, onReport, timer, reportCount: 0 };
    this.#control.send({ type: 'discover', correlation });
  }

  /** Ignores reports of a scan that has ended. */
  onReport({ correlation, report }: Extract<AgentMessage, { type: 'discovery' }>): void {
    const open = this.#open;
    if (open?.correlation !== correlation) return;
    if (report.type === 'end') return this.#end(report.result);
    if (++open.reportCount > MAX_REPORTS) return this.#end('failed');
    open.onReport(report);
  }

  close(): void {
    this.#end('lost');
  }

  #end(result: DiscoveryResult): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    clearTimeout(open.timer);
    open.onReport({ type: 'end', result });
  }
}
