import type { ProbeResult } from '@tongtu/contract';
import type { FrpMessageOf } from '@tongtu/frp';
import { type AgentFeature, type HttpRules, isHttp2Kind, isVerifiedKind, type OpenRequest } from '@tongtu/tunnel';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import { UpstreamBusyError } from '../upstream/upstream-stream.ts';
import { Reasons } from './ask-reason.ts';
import { codingOf, type TakeConnection, type WorkCoding } from './coded-connection.ts';
import type { FrpcProxies, FrpcProxiesDeps } from './frpc-proxies.ts';
import { type FrpcFailure, FrpcTarget } from './frpc-target.ts';
import { isTargetAllowed } from './is-target-allowed.ts';
import { OpenDials } from './open-dials.ts';
import type { ProbeHooks } from './probe-target.ts';
import { proxyRefusals } from './refusals.ts';
import { RefusedTarget } from './refused-target.ts';
import { TlsTarget } from './tls-target.ts';
import { wakeMachine } from './wake-machine.ts';

/** The proxies of the console's text: `lan` (plugin http_proxy) reaches every target, `wake` (udp) wakes machines. */
export class LanProxies implements FrpcProxies {
  readonly features: ReadonlySet<AgentFeature> = new Set<AgentFeature>([
    ...(['tcp-probe', 'tls-verified', 'tls-name', 'tls-h2', 'wake'] as const),
  ]);
  readonly httpRules: ReadonlyMap<number, HttpRules> = new Map();
  readonly #deps: FrpcProxiesDeps;
  readonly #dials: OpenDials;
  readonly #reasons: Reasons;
  /** How their work connections are encoded. */
  readonly #proxies = new Map<string, WorkCoding | undefined>();

  constructor(deps: FrpcProxiesDeps) {
    this.#deps = deps;
    this.#dials = new OpenDials(deps.monotonicMs);
    this.#reasons = new Reasons({ takeConnection: this.#takeFrom(this.#lanProxy) });
  }

  get #lanProxy(): string {
    return `${this.#deps.user}.lan`;
  }

  get #wakeProxy(): string {
    return `${this.#deps.user}.wake`;
  }

  onNewProxy(proxy: FrpMessageOf<'NewProxy'>): void {
    const { proxy_name: name } = proxy;
    const error = this.#refusalOf(proxy);
    if (error !== undefined) return this.#deps.answer({ proxy_name: name, error });
    this.#proxies.set(name, codingOf(proxy));
    this.#deps.answer({ proxy_name: name, remote_addr: ':0' });
    if (name === this.#lanProxy) this.#deps.onUsable();
  }

  onCloseProxy(name: string): void {
    this.#proxies.delete(name);
  }

  open(request: OpenRequest, events: TargetEvents, hooks: Partial<ProbeHooks>): TargetStream {
    if (request.kind === 'tcp') return this.#openPlain(request, events, hooks);
    const options = {
      host: request.tlsName ?? request.host,
      isVerified: isVerifiedKind(request.kind),
      isHttp2: isHttp2Kind(request.kind),
      timeoutMs: this.#deps.dialTimeoutMs,
      ...(hooks.onSecured && { onSecured: hooks.onSecured }),
    };
    return new TlsTarget((plainEvents) => this.#openPlain(request, plainEvents, hooks), options, events);
  }

  findSecret(): undefined {
    return undefined;
  }

  wake(mac: string): Promise<ProbeResult> {
    if (!this.#proxies.has(this.#wakeProxy))
      return Promise.resolve({ ok: false, step: 'agent', ms: 0, seen: 'frpc_no_wake' });
    const { wire, monotonicMs } = this.#deps;
    return wakeMachine({ wire, monotonicMs, takeConnection: this.#takeFrom(this.#wakeProxy) }, mac);
  }

  close(): void {}

  #takeFrom(proxy: string): TakeConnection {
    return (onStream) => this.#deps.takeFor(proxy, this.#proxies.get(proxy))(onStream);
  }

  #refusalOf({ proxy_name: name, proxy_type: type }: FrpMessageOf<'NewProxy'>): string | undefined {
    if (type !== 'tcp' && type !== 'udp') return proxyRefusals.kind;
    return name === (type === 'tcp' ? this.#lanProxy : this.#wakeProxy) ? undefined : proxyRefusals.name;
  }

  #openPlain({ host, port }: OpenRequest, events: TargetEvents, hooks: Partial<ProbeHooks>): TargetStream {
    const { dialTimeoutMs, onTargetOpened, onTargetClosed } = this.#deps;
    const refuse = (failure: FrpcFailure) => new RefusedTarget(failure, events, hooks.onFailed);
    if (!isTargetAllowed({ host, port })) return refuse('notAllowed');
    if (!this.#proxies.has(this.#lanProxy)) return refuse('noProxy');
    const dial = this.#dials.begin(`${host} ${port}`);
    if (dial === 'busy') throw new UpstreamBusyError('frpc has too many targets to dial');
    if (dial === 'silent') return refuse('timeout');
    onTargetOpened();
    return new FrpcTarget(
      {
        target: { host, port },
        dial,
        dialTimeoutMs,
        takeConnection: this.#takeFrom(this.#lanProxy),
        askReason: (target) => this.#reasons.ask(target),
        ...hooks,
        onClosed: onTargetClosed,
      },
      events,
    );
  }
}
