import type { DeviceRoutes, DiagnosisResult, OfflineReason, ProbeResult, Route } from '@tongtu/contract';
import { encodeFrpMessage, type FrpMessage, type FrpMessageOf, type Wire } from '@tongtu/frp';
import type { AgentFeature, Mux, MuxStream, OpenRequest } from '@tongtu/tunnel';
import type { DeviceFacts, DeviceLink } from '../tunnels/device-link.ts';
import type { OnReport } from '../tunnels/discoveries.ts';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import { UpstreamBusyError } from '../upstream/upstream-stream.ts';
import { Reasons } from './ask-reason.ts';
import type { ControlStream } from './control-stream.ts';
import { type FrpcFailure, FrpcTarget } from './frpc-target.ts';
import { isTargetAllowed } from './is-target-allowed.ts';
import { OpenDials } from './open-dials.ts';
import { type ProbeHooks, probeTarget } from './probe-target.ts';
import { proxyRefusals } from './refusals.ts';
import { RefusedTarget } from './refused-target.ts';
import { TlsTarget } from './tls-target.ts';
import { wakeMachine } from './wake-machine.ts';
import { WorkConnections } from './work-connections.ts';

export type FrpcLinkOptions = {
  mux: Mux;
  wire: Wire;
  /** The device's id, which frpc puts before the names of its proxies. */
  user: string;
  token: string;
  runId: string;
  facts: DeviceFacts;
  dialTimeoutMs: number;
  monotonicMs: () => number;
  /** The proxy that reaches targets is there. */
  onUsable: () => void;
};

/** The connection of a stock frpc: its proxy `lan` (plugin http_proxy) reaches targets, `wake` (udp) wakes machines. */
export class FrpcLink implements DeviceLink {
  readonly facts: DeviceFacts;
  readonly features: ReadonlySet<AgentFeature> = new Set<AgentFeature>(['tcp-probe', 'tls-verified', 'wake']);
  onEnded: (reason: OfflineReason) => void = () => {};
  readonly runId: string;
  readonly work: WorkConnections;
  readonly #options: FrpcLinkOptions;
  readonly #dials: OpenDials;
  readonly #reasons: Reasons;
  readonly #proxies = new Set<string>();
  #control: ControlStream | undefined;
  #streamCount = 0;

  constructor(options: FrpcLinkOptions) {
    this.#options = options;
    this.facts = options.facts;
    this.runId = options.runId;
    this.#dials = new OpenDials(options.monotonicMs);
    this.work = new WorkConnections(() => this.#control?.send('ReqWorkConn', {}));
    this.#reasons = new Reasons({ takeConnection: this.#takeFor(this.#lanProxy) });
  }

  get streamCount(): number {
    return this.#streamCount;
  }

  get lastReceivedAtMs(): number {
    return this.#options.mux.lastReceivedAtMs;
  }

  get #lanProxy(): string {
    return `${this.#options.user}.lan`;
  }

  get #wakeProxy(): string {
    return `${this.#options.user}.wake`;
  }

  /** Begins with the encrypted part of the control stream. */
  start(control: ControlStream): void {
    this.#control = control;
    this.work.start();
  }

  onMessage(message: FrpMessage): void {
    if (message.type === 'NewProxy') this.#onNewProxy(message);
    else if (message.type === 'CloseProxy') this.#proxies.delete(message.proxy_name);
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

  readonly openTarget = (request: OpenRequest, events: TargetEvents): TargetStream => this.#open(request, events);

  /** frpc pings every 30 s by itself, which is too seldom. */
  ping(): void {
    // Rejects when the mux closes, which ends the session.
    this.#options.mux.ping().catch(() => {});
  }

  probe(route: Route): Promise<ProbeResult> {
    if (route.kind === 'udp') return Promise.resolve({ ok: false, step: 'agent', ms: 0, seen: 'frpc_no_udp' });
    const { monotonicMs } = this.#options;
    return probeTarget(
      { monotonicMs, open: (probed, events, hooks) => this.#open(requestOf(probed), events, hooks) },
      route,
    );
  }

  wake(mac: string): Promise<ProbeResult> {
    if (!this.#proxies.has(this.#wakeProxy))
      return Promise.resolve({ ok: false, step: 'agent', ms: 0, seen: 'frpc_no_wake' });
    const { wire, monotonicMs } = this.#options;
    return wakeMachine({ wire, monotonicMs, takeConnection: this.#takeFor(this.#wakeProxy) }, mac);
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

  settle(): void {}

  /** frpc would go on living without new work connections, and never connect again. */
  goAway(): void {}

  /** frpc has no message for it. It tries again by itself, and learns the reason at its login. */
  bye(): void {
    this.close();
  }

  close(error?: Error): void {
    this.#options.mux.close(error);
  }

  #onNewProxy(proxy: FrpMessageOf<'NewProxy'>): void {
    const { proxy_name: name } = proxy;
    const error = this.#refusalOf(proxy);
    if (error !== undefined) return this.#control?.send('NewProxyResp', { proxy_name: name, error });
    this.#proxies.add(name);
    this.#control?.send('NewProxyResp', { proxy_name: name, remote_addr: ':0' });
    if (name === this.#lanProxy) this.#options.onUsable();
  }

  #refusalOf(proxy: FrpMessageOf<'NewProxy'>): string | undefined {
    const { proxy_name: name, proxy_type: type } = proxy;
    if (type !== 'tcp' && type !== 'udp') return proxyRefusals.kind;
    if (name !== (type === 'tcp' ? this.#lanProxy : this.#wakeProxy)) return proxyRefusals.name;
    return proxy.use_encryption || proxy.use_compression ? proxyRefusals.transform : undefined;
  }

  #open(request: OpenRequest, events: TargetEvents, hooks: Partial<ProbeHooks> = {}): TargetStream {
    if (request.kind === 'tcp') return this.#openPlain(request, events, hooks);
    const { host } = request;
    const options = {
      host,
      isVerified: request.kind === 'tls-verified',
      timeoutMs: this.#options.dialTimeoutMs,
      ...(hooks.onSecured && { onSecured: hooks.onSecured }),
    };
    return new TlsTarget((plainEvents) => this.#openPlain(request, plainEvents, hooks), options, events);
  }

  #openPlain({ host, port }: OpenRequest, events: TargetEvents, hooks: Partial<ProbeHooks>): TargetStream {
    const refuse = (failure: FrpcFailure) => new RefusedTarget(failure, events, hooks.onFailed);
    if (!isTargetAllowed({ host, port })) return refuse('notAllowed');
    if (!this.#proxies.has(this.#lanProxy)) return refuse('noProxy');
    const dial = this.#dials.begin(`${host} ${port}`);
    if (dial === 'busy') throw new UpstreamBusyError('frpc has too many targets to dial');
    if (dial === 'silent') return refuse('timeout');
    this.#streamCount++;
    return new FrpcTarget(
      {
        target: { host, port },
        dial,
        dialTimeoutMs: this.#options.dialTimeoutMs,
        takeConnection: this.#takeFor(this.#lanProxy),
        askReason: (target) => this.#reasons.ask(target),
        ...hooks,
        onClosed: () => this.#streamCount--,
      },
      events,
    );
  }

  /** Work connections with the name of their proxy; the caller's first bytes leave in the same frame. */
  #takeFor(proxy: string): (onStream: (stream: MuxStream) => void) => () => void {
    const start = encodeFrpMessage(this.#options.wire, 'StartWorkConn', { proxy_name: proxy });
    return (onStream) =>
      this.work.take((stream) => {
        stream.write(start);
        onStream(stream);
      });
  }
}

function requestOf({
  kind,
  mappingId,
  targetHost: host,
  targetPort: port,
  verifyTls,
  tlsPassthrough,
}: Route): OpenRequest {
  // A passthrough mapping is probed by TLS as well: its service ends TLS itself, with a certificate that visitors check.
  const tls = verifyTls && !tlsPassthrough ? 'tls-verified' : 'tls';
  return { kind: kind === 'https' ? tls : 'tcp', mappingId, host, port, visitorAddress: '' };
}
