import type { ProbeResult, Route } from '@tongtu/contract';
import type { AgentMessage } from '@tongtu/tunnel';
import type { ControlChannel } from './control-channel.ts';

const MAX_OPEN_PROBES = 32;

type Open = { settle: (result: ProbeResult) => void; timer: NodeJS.Timeout };

/** Questions to one agent whether a target answers. Each gets an answer, if only that there was none. */
export class Probes {
  readonly #control: ControlChannel;
  readonly #timeoutMs: number;
  readonly #open = new Map<number, Open>();
  #lastCorrelation = 0;

  constructor(control: ControlChannel, timeoutMs: number) {
    this.#control = control;
    this.#timeoutMs = timeoutMs;
  }

  ask(route: Route): Promise<ProbeResult> {
    if (this.#open.size >= MAX_OPEN_PROBES) return Promise.resolve({ ok: false, step: 'agent', ms: 0, seen: 'busy' });
    const correlation = ++this.#lastCorrelation;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#settle(correlation, { ok: false, step: 'agent', ms: this.#timeoutMs, seen: 'timeout' }),
        this.#timeoutMs,
      );
      this.#open.set(correlation, { settle: resolve, timer });
      this.#control.send({
        type: 'probe',
        correlation,
        mappingId: route.mappingId,
        protocol: route.kind,
        host: route.targetHost,
        port: route.targetPort,
      });
    });
  }

  onResult({ correlation, ok, step, ms, seen }: Extract<AgentMessage, { type: 'probe_result' }>): void {
    this.#settle(correlation, { ok, step, ms, seen });
  }

  close(): void {
    for (const correlation of [...this.#open.keys()])
      this.#settle(correlation, { ok: false, step: 'agent', ms: 0, seen: 'offline' });
  }

  #settle(correlation: number, result: ProbeResult): void {
    const open = this.#open.get(correlation);
    if (open === undefined) return;
    this.#open.delete(correlation);
    clearTimeout(open.timer);
    open.settle(result);
  }
}
