import type { ProbeResult, Route } from '@tongtu/contract';
import type { AgentFeature, AgentMessage, RelayMessage, UpgradeOffer } from '@tongtu/tunnel';
import type { RelayLimits } from '../config/relay-limits.ts';
import { serviceOriginsAtHost, tlsNameOf } from '../routes/service-origins.ts';
import type { ControlChannel } from './control-channel.ts';

const MAX_OPEN_PROBES = 32;

const OUTDATED = 'outdated';
const neededFeatures: Record<Route['kind'], AgentFeature | undefined> = {
  http: undefined,
  https: undefined,
  tcp: 'tcp-probe',
  udp: 'udp',
};

type ProbeTimeouts = Pick<RelayLimits, 'probeTimeoutMs' | 'upgradeTimeoutMs'>;
type Open = { settle: (result: ProbeResult) => void; timer: NodeJS.Timeout };

/** Probes of one agent's targets, and machines that it wakes. Each gets an answer, at least that the agent gave none. */
export class Probes {
  readonly #control: ControlChannel;
  readonly #features: ReadonlySet<string>;
  readonly #timeouts: ProbeTimeouts;
  readonly #open = new Map<number, Open>();
  #lastCorrelation = 0;

  constructor(control: ControlChannel, features: ReadonlySet<string>, timeouts: ProbeTimeouts) {
    this.#control = control;
    this.#features = features;
    this.#timeouts = timeouts;
  }

  ask(route: Route): Promise<ProbeResult> {
    const verifyTls = checksCertificate(route);
    const tlsName = tlsNameOf(route, serviceOriginsAtHost(route));
    return this.#request(verifyTls ? 'tls-verified' : neededFeatures[route.kind], (correlation) => ({
      type: 'probe',
      correlation,
      mappingId: route.mappingId,
      protocol: route.kind,
      host: route.targetHost,
      port: route.targetPort,
      ...(verifyTls ? { verifyTls } : {}),
      ...(tlsName !== undefined && { tlsName }),
    }));
  }

  wake(mac: string): Promise<ProbeResult> {
    return this.#request('wake', (correlation) => ({ type: 'wake', correlation, mac }));
  }

  upgrade(offer: UpgradeOffer): Promise<ProbeResult> {
    const { upgradeTimeoutMs } = this.#timeouts;
    return this.#request('upgrade', (correlation) => ({ type: 'upgrade', correlation, offer }), upgradeTimeoutMs);
  }

  onResult({ correlation, ok, step, ms, seen, weakness }: Extract<AgentMessage, { type: 'probe_result' }>): void {
    const isUnknown = !ok && seen === 'unsupported';
    const result = { ok, step, ms, seen, ...(weakness !== undefined && { weakness }) };
    this.#settle(correlation, isUnknown ? { ok, step: 'agent', ms, seen: OUTDATED } : result);
  }

  close(): void {
    for (const correlation of [...this.#open.keys()])
      this.#settle(correlation, { ok: false, step: 'agent', ms: 0, seen: 'offline' });
  }

  #request(
    needed: AgentFeature | undefined,
    message: (correlation: number) => RelayMessage,
    timeoutMs = this.#timeouts.probeTimeoutMs,
  ): Promise<ProbeResult> {
    if (needed !== undefined && !this.#features.has(needed))
      return Promise.resolve({ ok: false, step: 'agent', ms: 0, seen: OUTDATED });
    if (this.#open.size >= MAX_OPEN_PROBES) return Promise.resolve({ ok: false, step: 'agent', ms: 0, seen: 'busy' });
    const correlation = ++this.#lastCorrelation;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#settle(correlation, { ok: false, step: 'agent', ms: timeoutMs, seen: 'timeout' }),
        timeoutMs,
      );
      this.#open.set(correlation, { settle: resolve, timer });
      this.#control.send(message(correlation));
    });
  }

  #settle(correlation: number, result: ProbeResult): void {
    const open = this.#open.get(correlation);
    if (open === undefined) return;
    this.#open.delete(correlation);
    clearTimeout(open.timer);
    open.settle(result);
  }
}

function checksCertificate({ kind, verifyTls, tlsPassthrough }: Route): boolean {
  return kind === 'https' && verifyTls && !tlsPassthrough;
}
