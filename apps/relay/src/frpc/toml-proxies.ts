import {
  type FrpcProxy,
  MAX_MAPPINGS_PER_DEVICE,
  type ProbeResult,
  type Route,
  type ServerToRelay,
} from '@tongtu/contract';
import type { FrpMessageOf } from '@tongtu/frp';
import type { AgentFeature, OpenRequest } from '@tongtu/tunnel';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import { codingOf, type TakeConnection, type WorkCoding } from './coded-connection.ts';
import type { FrpcProxies, FrpcProxiesDeps } from './frpc-proxies.ts';
import { OwnTarget } from './own-target.ts';
import type { ProbeHooks } from './probe-target.ts';
import { readTomlProxy } from './read-toml-proxy.ts';
import { loginRefusals, tomlRefusals } from './refusals.ts';
import { RefusedTarget } from './refused-target.ts';
import { TlsTarget } from './tls-target.ts';
import { UdpProxy } from './udp-proxy.ts';

export type TomlProxiesDeps = {
  /** Has the server make mappings of a proxy. Rejects while the server cannot be reached. */
  apply: (proxy: FrpcProxy) => Promise<Extract<ServerToRelay, { type: 'frpc_proxy_result' }>['result']>;
  /** The routes of the device, as they are now. */
  routes: () => readonly Route[];
};

/** The proxies of a user's own frpc.toml. Each is a mapping, and frpc dials its target by itself. */
export class TomlProxies implements FrpcProxies {
  readonly features: ReadonlySet<AgentFeature> = new Set<AgentFeature>(['tcp-probe', 'tls-verified', 'udp']);
  readonly #deps: FrpcProxiesDeps;
  readonly #server: TomlProxiesDeps;
  /** Those that were accepted, and how their work connections are encoded. */
  readonly #proxies = new Map<string, WorkCoding | undefined>();
  readonly #udpProxies = new Map<string, UdpProxy>();
  /** One proxy at a time, so that those of a device do not compete for an address. */
  #adding: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(deps: FrpcProxiesDeps, server: TomlProxiesDeps) {
    this.#deps = deps;
    this.#server = server;
  }

  onNewProxy(message: FrpMessageOf<'NewProxy'>): void {
    const { proxy_name: name } = message;
    const proxy = readTomlProxy(message, this.#deps.user);
    if (typeof proxy === 'string') return this.#deps.answer({ proxy_name: name, error: proxy });
    if (this.#waiting + this.#proxies.size >= MAX_MAPPINGS_PER_DEVICE)
      return this.#deps.answer({ proxy_name: name, error: tomlRefusals.tooMany });
    this.#waiting++;
    this.#adding = this.#adding.then(async () => {
      this.#waiting--;
      const error = await this.#add(proxy, codingOf(message));
      this.#deps.answer(error === undefined ? this.#acceptance(name, proxy.name) : { proxy_name: name, error });
    });
  }

  onCloseProxy(fullName: string): void {
    const name = fullName.slice(this.#deps.user.length + 1);
    this.#proxies.delete(name);
    this.#udpProxies.get(name)?.close();
    this.#udpProxies.delete(name);
  }

  open(request: OpenRequest, events: TargetEvents, hooks: Partial<ProbeHooks>): TargetStream {
    const name = this.#server.routes().find(({ mappingId }) => mappingId === request.mappingId)?.frpcProxy;
    if (name === undefined || !this.#proxies.has(name)) return new RefusedTarget('noProxy', events, hooks.onFailed);
    if (request.kind === 'udp') return this.#udpProxy(name).open(events);
    if (request.kind === 'tcp') return this.#openPlain(name, events, hooks);
    const options = {
      host: request.host,
      isVerified: request.kind === 'tls-verified',
      timeoutMs: this.#deps.dialTimeoutMs,
      ...(hooks.onSecured && { onSecured: hooks.onSecured }),
    };
    return new TlsTarget((plainEvents) => this.#openPlain(name, plainEvents, hooks), options, events);
  }

  wake(): Promise<ProbeResult> {
    return Promise.resolve({ ok: false, step: 'agent', ms: 0, seen: 'frpc_no_wake' });
  }

  close(): void {
    for (const proxy of this.#udpProxies.values()) proxy.close();
  }

  /** Returns why not. Without the server, a proxy whose mappings are known works as before. */
  async #add(proxy: FrpcProxy, coding: WorkCoding | undefined): Promise<string | undefined> {
    const result = await this.#server.apply(proxy).catch(() => undefined);
    if (result?.ok === false) return result.text ?? loginRefusals.starting;
    if (result === undefined && this.#routesOf(proxy.name).length === 0) return loginRefusals.starting;
    this.#proxies.set(proxy.name, coding);
    this.#deps.onUsable();
    return undefined;
  }

  #acceptance(fullName: string, name: string): { proxy_name: string; remote_addr: string } {
    const addresses = this.#routesOf(name).map(({ host, port }) => (port === null ? host : `:${port}`));
    return { proxy_name: fullName, remote_addr: addresses.join(',') };
  }

  #routesOf(name: string): Route[] {
    return this.#server.routes().filter(({ frpcProxy }) => frpcProxy === name);
  }

  #openPlain(name: string, events: TargetEvents, hooks: Partial<ProbeHooks>): TargetStream {
    const { dialTimeoutMs, onTargetOpened, onTargetClosed } = this.#deps;
    onTargetOpened();
    const takeConnection = this.#takeFrom(name);
    return new OwnTarget({ takeConnection, timeoutMs: dialTimeoutMs, ...hooks, onClosed: onTargetClosed }, events);
  }

  #takeFrom(name: string): TakeConnection {
    const { user, takeFor } = this.#deps;
    return (onStream) => takeFor(`${user}.${name}`, this.#proxies.get(name))(onStream);
  }

  #udpProxy(name: string): UdpProxy {
    const known = this.#udpProxies.get(name);
    if (known !== undefined) return known;
    const proxy = new UdpProxy(this.#deps.wire, this.#takeFrom(name));
    this.#udpProxies.set(name, proxy);
    return proxy;
  }
}
