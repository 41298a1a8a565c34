import {
  type FrpcProxy,
  MAX_MAPPINGS_PER_DEVICE,
  type ProbeResult,
  type Route,
  type ServerToRelay,
} from '@tongtu/contract';
import type { FrpMessageOf } from '@tongtu/frp';
import { type AgentFeature, type HttpRules, isHttp2Kind, isVerifiedKind, type OpenRequest } from '@tongtu/tunnel';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import { UpstreamBusyError } from '../upstream/upstream-stream.ts';
import type { TakeConnection } from './coded-connection.ts';
import type { FrpcProxies, FrpcProxiesDeps, SecretProxy, VisitorEnds } from './frpc-proxies.ts';
import { OwnTarget } from './own-target.ts';
import type { ProbeHooks } from './probe-target.ts';
import { readTomlProxy, type TomlProxy } from './read-toml-proxy.ts';
import { loginRefusals, tomlRefusals } from './refusals.ts';
import { RefusedTarget } from './refused-target.ts';
import { ServedMappings, type ServedProxy } from './served-mappings.ts';
import { TlsTarget } from './tls-target.ts';
import { UdpProxy } from './udp-proxy.ts';

export type TomlProxiesDeps = {
  /** Has the server make mappings of a proxy. Rejects while the server cannot be reached. */
  apply: (
    proxy: FrpcProxy,
    keptMappingIds: number[],
  ) => Promise<Extract<ServerToRelay, { type: 'frpc_proxy_result' }>['result']>;
  /** The routes of the device, as they are now. */
  routes: () => readonly Route[];
};

/** The proxies of a user's own frpc.toml. Each is a mapping, and frpc dials its target by itself. */
export class TomlProxies implements FrpcProxies {
  readonly features: ReadonlySet<AgentFeature> = new Set<AgentFeature>([
    'tcp-probe',
    'tls-verified',
    'tls-name',
    'tls-h2',
    'udp',
    'connection-origin',
  ]);
  readonly #deps: FrpcProxiesDeps;
  readonly #server: TomlProxiesDeps;
  /** Those that were accepted. */
  readonly #served: ServedMappings;
  readonly #udpProxies = new Map<string, UdpProxy>();
  /** One proxy at a time, so that those of a device do not compete for an address. */
  #adding: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(deps: FrpcProxiesDeps, server: TomlProxiesDeps) {
    this.#deps = deps;
    this.#server = server;
    this.#served = new ServedMappings({
      onChanged: deps.onTargetsChanged,
      isGuest: (mappingId, { name }) => this.#routesOf([mappingId]).some(({ frpcProxy }) => frpcProxy !== name),
    });
  }

  get httpRules(): ReadonlyMap<number, HttpRules> {
    return this.#served.httpRules;
  }

  findSecret(name: string): SecretProxy | undefined {
    const { secret, mappingIds = [] } = this.#served.find(name) ?? {};
    const [mappingId] = mappingIds;
    return secret && mappingId !== undefined ? { mappingId, ...secret } : undefined;
  }

  onNewProxy(message: FrpMessageOf<'NewProxy'>): void {
    const { user, answer } = this.#deps;
    const { proxy_name: fullName } = message;
    const proxy = readTomlProxy(message, user);
    if (typeof proxy === 'string') return answer({ proxy_name: fullName, error: proxy });
    if (this.#waiting + this.#served.count >= MAX_MAPPINGS_PER_DEVICE)
      return answer({ proxy_name: fullName, error: tomlRefusals.tooMany });
    const name = fullName.slice(user.length + 1);
    this.#waiting++;
    this.#adding = this.#adding.then(async () => {
      this.#waiting--;
      const error = await this.#add(name, proxy);
      answer(error === undefined ? this.#acceptance(fullName, name) : { proxy_name: fullName, error });
    });
  }

  onCloseProxy(fullName: string): void {
    const name = fullName.slice(this.#deps.user.length + 1);
    this.#remove(name);
    // It may still wait to be added.
    this.#adding = this.#adding.then(() => this.#remove(name));
  }

  open(request: OpenRequest, events: TargetEvents, hooks: Partial<ProbeHooks>): TargetStream {
    const { mappingId } = request;
    const [route] = this.#routesOf([mappingId]);
    const isProbe = hooks.onFailed !== undefined;
    const served = isProbe ? this.#findForProbe(mappingId, route) : this.#served.findFor(request);
    if (served === undefined) return new RefusedTarget('noProxy', events, hooks.onFailed);
    // The rules have just changed: the visitor, of another relay process perhaps, was judged by the ones before.
    if (served === 'unnamed') throw new UpstreamBusyError('a target that the mapping does not have now');
    if (request.kind === 'udp') return this.#udpProxy(served).open(events, request);
    if (request.kind === 'tcp') return this.#openPlain(served, request, events, hooks);
    // An http proxy that shares the mapping of an https proxy.
    if (served.proxy.type === 'http') return this.#openPlain(served, request, events, securedAtOnce(hooks));
    const options = {
      // The request may have the key of the proxy as its host.
      host: request.tlsName ?? route?.targetHost ?? request.host,
      isVerified: isVerifiedKind(request.kind),
      isHttp2: isHttp2Kind(request.kind),
      timeoutMs: this.#deps.dialTimeoutMs,
      ...(hooks.onSecured && { onSecured: hooks.onSecured }),
    };
    return new TlsTarget((plainEvents) => this.#openPlain(served, request, plainEvents, hooks), options, events);
  }

  wake(): Promise<ProbeResult> {
    return Promise.resolve({ ok: false, step: 'agent', ms: 0, seen: 'frpc_no_wake' });
  }

  close(): void {
    for (const proxy of this.#udpProxies.values()) proxy.close();
  }

  /** With end-to-end TLS an http proxy does not serve those by https, whom a probe stands for. */
  #findForProbe(mappingId: number, route: Route | undefined): ServedProxy | undefined {
    const served = this.#served.findAny(mappingId);
    return route?.tlsPassthrough === true && served?.proxy.type === 'http' ? undefined : served;
  }

  /** Returns why not. Without the server, a proxy whose mappings are known works as before. */
  async #add(name: string, proxy: TomlProxy): Promise<string | undefined> {
    const refusal = this.#served.groupRefusal(name, proxy);
    if (refusal !== undefined) return refusal;
    const result = await this.#server.apply(proxy.proxy, this.#served.mappingsOfOthers(proxy)).catch(() => undefined);
    if (result?.ok === false) return result.text ?? loginRefusals.starting;
    const mappingIds = result?.mappingIds ?? this.#knownMappings(proxy);
    if (result === undefined && mappingIds.length === 0) return loginRefusals.starting;
    const error = this.#served.add(name, proxy, mappingIds);
    if (error !== undefined) return error;
    this.#closeUdp(name);
    this.#deps.onUsable();
    return undefined;
  }

  #remove(name: string): void {
    this.#served.remove(name);
    this.#closeUdp(name);
  }

  #closeUdp(name: string): void {
    this.#udpProxies.get(name)?.close();
    this.#udpProxies.delete(name);
  }

  #routesOf(mappingIds: readonly number[]): Route[] {
    return this.#server.routes().filter(({ mappingId }) => mappingIds.includes(mappingId));
  }

  #acceptance(fullName: string, name: string): { proxy_name: string; remote_addr: string } {
    const routes = this.#routesOf(this.#served.find(name)?.mappingIds ?? []);
    const addresses = routes.map(({ host, port }) => (port === null ? host : `:${port}`));
    return { proxy_name: fullName, remote_addr: addresses.join(',') };
  }

  /** As far as the routes say it: its own, and those of other proxies that have the same domain. */
  #knownMappings({ proxy }: TomlProxy): number[] {
    const { name, type, domains, subdomain } = proxy;
    const names = new Set(domains.map((domain) => domain.toLowerCase()));
    const isSame = ({ host, isOwnDomain }: Route) =>
      names.has(host) || (subdomain !== '' && !isOwnDomain && host.startsWith(`${subdomain}.`));
    const routes = this.#server.routes().filter((route) => {
      if (route.frpcProxy === name) return true;
      return route.frpcProxy !== undefined && type === 'http' && route.port === null && isSame(route);
    });
    return routes.map(({ mappingId }) => mappingId);
  }

  #openPlain(
    served: ServedProxy,
    visitor: VisitorEnds,
    events: TargetEvents,
    hooks: Partial<ProbeHooks>,
  ): TargetStream {
    const { dialTimeoutMs, onTargetOpened, onTargetClosed } = this.#deps;
    onTargetOpened();
    const takeConnection = this.#takeFrom(served, visitor);
    return new OwnTarget({ takeConnection, timeoutMs: dialTimeoutMs, ...hooks, onClosed: onTargetClosed }, events);
  }

  #takeFrom({ name, coding }: ServedProxy, visitor?: VisitorEnds): TakeConnection {
    const { user, takeFor } = this.#deps;
    return takeFor(`${user}.${name}`, coding, visitor);
  }

  #udpProxy(served: ServedProxy): UdpProxy {
    const { name } = served;
    const known = this.#udpProxies.get(name);
    if (known !== undefined) return known;
    const proxy = new UdpProxy(this.#deps.wire, this.#takeFrom(served));
    this.#udpProxies.set(name, proxy);
    return proxy;
  }
}

/** Without TLS there is nothing to wait for after the connection. */
function securedAtOnce({ onConnected, onSecured, onFailed }: Partial<ProbeHooks>): Partial<ProbeHooks> {
  const connected = () => {
    onConnected?.();
    onSecured?.();
  };
  return { onConnected: connected, ...(onFailed && { onFailed }) };
}
