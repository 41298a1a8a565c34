import type { ProbeResult } from '@tongtu/contract';
import type { FrpFields, FrpMessageOf, Wire } from '@tongtu/frp';
import type { AgentFeature, HttpRules, OpenRequest } from '@tongtu/tunnel';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import type { TakeConnection, WorkCoding } from './coded-connection.ts';
import type { ProbeHooks } from './probe-target.ts';

/** What the proxies of a frpc reach: those of the console's text (`lan`, `wake`), or those of a user's own frpc.toml. */
export type FrpcProxies = {
  readonly features: ReadonlySet<AgentFeature>;
  /** By mapping; see DeviceLink. */
  readonly httpRules: ReadonlyMap<number, HttpRules>;
  onNewProxy(proxy: FrpMessageOf<'NewProxy'>): void;
  onCloseProxy(name: string): void;
  /** Throws UpstreamBusyError at a limit. */
  open(request: OpenRequest, events: TargetEvents, hooks: Partial<ProbeHooks>): TargetStream;
  /** A proxy of type stcp, by its name in the file. */
  findSecret(name: string): SecretProxy | undefined;
  /** Has the device wake a machine in its network. Always answers. */
  wake(mac: string): Promise<ProbeResult>;
  /** The connection has ended. */
  close(): void;
};

/** A proxy of type stcp: its key, and the `user`s that may visit it; none: all of the account. */
export type SecretProxy = { mappingId: number; key: string; users: readonly string[] };

/** Whose connection it is: frpc passes it on to its target where `proxyProtocolVersion` is set. */
export type VisitorEnds = Pick<OpenRequest, 'visitorAddress' | 'origin'>;

/** What a frpc's connection gives its proxies. */
export type FrpcProxiesDeps = {
  /** What frpc puts before the names of its proxies, with a dot. */
  user: string;
  wire: Wire;
  dialTimeoutMs: number;
  monotonicMs: () => number;
  answer: (response: FrpFields<'NewProxyResp'>) => void;
  /** Work connections of the proxy with this full name; the caller's first bytes leave in the same frame. */
  takeFor: (proxy: string, coding: WorkCoding | undefined, visitor?: VisitorEnds) => TakeConnection;
  /** A proxy that reaches targets is there. */
  onUsable: () => void;
  /** Other targets serve the mapping from now on, or in another way. */
  onTargetsChanged: (mappingId: number) => void;
  onTargetOpened: () => void;
  onTargetClosed: () => void;
};
export type CreateFrpcProxies = (deps: FrpcProxiesDeps) => FrpcProxies;
