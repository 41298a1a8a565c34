import type { DeviceRoutes, DiagnosisResult, OfflineReason, ProbeResult, Route } from '@tongtu/contract';
import { encodeFrpMessage, type FrpFields, type FrpMessage, type Wire } from '@tongtu/frp';
import type { AgentFeature, HttpRules, Mux, OpenRequest } from '@tongtu/tunnel';
import { serviceOriginsAtHost, tlsNameOf } from '../routes/service-origins.ts';
import type { DeviceFacts, DeviceLink } from '../tunnels/device-link.ts';
import type { OnReport } from '../tunnels/discoveries.ts';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import { CodedConnection, type TakeConnection, type WorkCoding } from './coded-connection.ts';
import type { ControlStream } from './control-stream.ts';
import type { CreateFrpcProxies, FrpcProxies, SecretProxy, VisitorEnds } from './frpc-proxies.ts';
import { probeTarget } from './probe-target.ts';
import { visitRefusals } from './refusals.ts';
import { WorkConnections } from './work-connections.ts';

export type FrpcLinkOptions = {
  mux: Mux;
  wire: Wire;
  /** What frpc puts before the names of its proxies. */
  user: string;
  token: string;
  runId: string;
  facts: DeviceFacts;
  dialTimeoutMs: number;
  monotonicMs: () => number;
  createProxies: CreateFrpcProxies;
  /** A proxy that reaches targets is there. */
  onUsable: () => void;
  /** Besides the session: the targets of a mapping, or its rules for HTTP. */
  onTargetsChanged: (mappingId: number) => void;
};

/** The connection of a stock frpc. */
export class FrpcLink implements DeviceLink {
  readonly facts: DeviceFacts;
  onEnded: (reason: OfflineReason) => void = () => {};
  onTargetsChanged: (mappingId: number) => void = () => {};
  readonly runId: string;
  readonly work: WorkConnections;
  /** It has shown that it has its token, as far as its wire can show it: v1 cannot. */
  isProven: boolean;
  readonly #options: FrpcLinkOptions;
  readonly #proxies: FrpcProxies;
  #control: ControlStream | undefined;
  #streamCount = 0;

  constructor(options: FrpcLinkOptions) {
    this.#options = options;
    this.facts = options.facts;
    this.runId = options.runId;
    this.isProven = options.wire === 'v1';
    this.work = new WorkConnections(() => this.#control?.send('ReqWorkConn', {}));
    this.#proxies = options.createProxies({
      ...options,
      answer: (response) => this.#control?.send('NewProxyResp', response),
      takeFor: (proxy, coding, visitor) => this.#takeFor(proxy, coding, visitor),
      onTargetsChanged: (mappingId) => {
        this.onTargetsChanged(mappingId);
        options.onTargetsChanged(mappingId);
      },
      onTargetOpened: () => this.#streamCount++,
      onTargetClosed: () => this.#streamCount--,
    });
  }

  get features(): ReadonlySet<AgentFeature> {
    return this.#proxies.features;
  }

  /** Those of the mappings whose routes do not say all. */
  get httpRules(): ReadonlyMap<number, HttpRules> {
    return this.#proxies.httpRules;
  }

  httpRulesOf(mappingId: number): HttpRules | undefined {
    return this.#proxies.httpRules.get(mappingId);
  }

  get streamCount(): number {
    return this.#streamCount;
  }

  get lastReceivedAtMs(): number {
    return this.#options.mux.lastReceivedAtMs;
  }

  /** Begins with the encrypted part of the control stream. */
  start(control: ControlStream): void {
    this.#control = control;
    this.work.start();
  }

  onMessage(message: FrpMessage): void {
    if (message.type === 'NewProxy') this.#proxies.onNewProxy(message);
    else if (message.type === 'CloseProxy') this.#proxies.onCloseProxy(message.proxy_name);
    else if (message.type === 'NatHoleVisitor')
      this.#control?.send('NatHoleResp', { transaction_id: message.transaction_id, error: visitRefusals.xtcp });
    // Also one that is not asked for by its version: it shows that the relay lives.
    else if (message.type === 'Ping') this.#control?.send('Pong', {});
  }

  /** Whether frpc answers within the time. */
  async isAlive(timeoutMs: number): Promise<boolean> {
    const { promise: timeout, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), timeoutMs);
    const pong = this.#options.mux.ping().then(
      () => true,
      () => false,
    );
    return await Promise.race([pong, timeout]).finally(() => clearTimeout(timer));
  }

  isLoginOf(device: DeviceRoutes): boolean {
    return device.frpcToken === this.#options.token;
  }

  /** frpc learns neither routes nor targets: each target is named when it is opened, and the relay keeps the rules. */
  welcome(): void {}

  setTargets(): void {}

  readonly openTarget = (request: OpenRequest, events: TargetEvents): TargetStream =>
    this.#proxies.open(request, events, {});

  /** frpc pings every 30 s by itself, which is too seldom. */
  ping(): void {
    // Rejects when the mux closes, which ends the session.
    this.#options.mux.ping().catch(() => {});
  }

  probe(route: Route): Promise<ProbeResult> {
    // What frpc's own udp proxy reaches is not asked: an answer would be the service's, in a protocol that we do not know.
    if (route.kind === 'udp' && this.features.has('udp'))
      return Promise.resolve({ ok: true, step: 'udp', ms: 0, seen: 'frpc_udp' });
    if (route.kind === 'udp') return Promise.resolve({ ok: false, step: 'agent', ms: 0, seen: 'frpc_no_udp' });
    const { monotonicMs } = this.#options;
    return probeTarget(
      { monotonicMs, open: (probed, events, hooks) => this.#proxies.open(requestOf(probed), events, hooks) },
      route,
    );
  }

  findSecret(name: string): SecretProxy | undefined {
    return this.#proxies.findSecret(name);
  }

  wake(mac: string): Promise<ProbeResult> {
    return this.#proxies.wake(mac);
  }

  /** Its program is not ours. */
  upgrade(): Promise<ProbeResult> {
    return Promise.resolve({ ok: false, step: 'agent', ms: 0, seen: 'outdated' });
  }

  discover(onReport: OnReport): void {
    onReport({ type: 'end', result: 'unsupported' });
  }

  diagnose(): Promise<DiagnosisResult> {
    return Promise.resolve({ ok: false, reason: 'unsupported' });
  }

  settle(): void {
    this.#proxies.close();
  }

  /** frpc would go on living without new work connections, and never connect again. */
  goAway(): void {}

  /** frpc has no message for it. It tries again by itself, and learns the reason at its login. */
  bye(): void {
    this.close();
  }

  close(error?: Error): void {
    this.#options.mux.close(error);
  }

  /** Work connections with the name of their proxy; the caller's first bytes leave in the same frame. */
  #takeFor(proxy: string, coding: WorkCoding | undefined, visitor: VisitorEnds | undefined): TakeConnection {
    const { wire, token } = this.#options;
    const ends = visitor === undefined ? {} : endsOf(visitor);
    const start = encodeFrpMessage(wire, 'StartWorkConn', { proxy_name: proxy, ...ends });
    return (onStream) =>
      this.work.take((stream) => {
        stream.write(start);
        onStream(coding === undefined ? stream : new CodedConnection(stream, { token, ...coding }));
      });
  }
}

/** As frps says it; nothing where the visitor's port is not known, as in a probe. */
function endsOf({ visitorAddress, origin }: VisitorEnds): Partial<FrpFields<'StartWorkConn'>> {
  if (origin === undefined) return {};
  const { visitorPort, publicAddress, publicPort } = origin;
  return { src_addr: visitorAddress, src_port: visitorPort, dst_addr: publicAddress, dst_port: publicPort };
}

function requestOf(route: Route): OpenRequest {
  const { kind, mappingId, targetHost: host, targetPort: port, verifyTls, tlsPassthrough } = route;
  const tlsName = tlsNameOf(route, serviceOriginsAtHost(route));
  // A passthrough mapping is probed by TLS as well: its service ends TLS itself, with a certificate that visitors check.
  const tls = verifyTls && !tlsPassthrough ? 'tls-verified' : 'tls';
  return { kind: kind === 'https' ? tls : 'tcp', mappingId, host, port, visitorAddress: '', tlsName };
}
