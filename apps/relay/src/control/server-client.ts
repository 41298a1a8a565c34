import { randomUUID } from 'node:crypto';
import {
  type AgentUpgradeOffer,
  type DeviceLine,
  type DeviceRoutes,
  type DiagnosisResult,
  type EdgeCertificate,
  type EdgeState,
  type PresenceEvent,
  type ProbeResult,
  type RelayAttempt,
  RELAY_CONTROL_PROTOCOL,
  type ServerToRelay,
  type TrialResult,
  type TrialVisit,
} from '@tongtu/contract';
import type { DiscoveryReport } from '@tongtu/tunnel';
import type { Logger } from 'pino';
import type { VisitorProof } from '../access/visitor-proof.ts';
import type { RelayLimits } from '../config/relay-limits.ts';
import type { RouteTable } from '../routes/route-table.ts';
import type { UsageReport } from '../usage/usage-reporter.ts';
import type { VisitReport } from '../visit-log/visit-reporter.ts';
import { LoadMeter } from './load-meter.ts';
import { presenceBatches } from './presence-batches.ts';
import { PresenceQueue } from './presence-queue.ts';
import { RouteSync } from './route-sync.ts';
import { ServerConnection } from './server-connection.ts';
import type { ServerMessage } from './server-message.ts';
import {
  type ClientToMark,
  type EnrolRequest,
  type FrpcClaim,
  type FrpcLoginRequest,
  type FrpcProxyRequest,
  type FrpcProxyResult,
  type RpcReply,
  ServerRpcs,
  type TicketRedemption,
} from './server-rpcs.ts';

export type ServerClientOptions = {
  url: string;
  secret: string;
  relayId: string;
  limits: RelayLimits;
  routes: RouteTable;
  onlineEvents: () => PresenceEvent[];
  probe: (deviceId: number, mappingId: number) => Promise<ProbeResult>;
  trial: (deviceId: number, visit: TrialVisit) => Promise<TrialResult>;
  wake: (deviceId: number, mac: string) => Promise<ProbeResult>;
  upgrade: (deviceId: number, offer: AgentUpgradeOffer) => Promise<ProbeResult>;
  /** Has a device scan its LAN; the last report is of type `end`. */
  discover: (deviceId: number, onReport: (report: DiscoveryReport) => void) => void;
  diagnose: (deviceId: number) => Promise<DiagnosisResult>;
  onEdge: (edge: EdgeState) => void;
  onCertificates: (certificates: EdgeCertificate[]) => void;
  onCertificatesKept: (ids: number[]) => void;
  onUsageStored: (sequence: number) => void;
  onVisitsStored: (sequence: number) => void;
  /** The server listens (again). */
  onGreeted: () => void;
  monotonicMs: () => number;
  log: Logger;
};

/** The relay's side of the connection to the server: routes come in, presence goes out. While it is down the relay goes on from memory. */
export class ServerClient implements AsyncDisposable {
  readonly #options: ServerClientOptions;
  readonly #bootId = randomUUID();
  readonly #load = new LoadMeter();
  readonly #ready = Promise.withResolvers<void>();
  readonly #connection: ServerConnection;
  readonly #rpcs: ServerRpcs;
  readonly #routeSync: RouteSync;
  readonly #presence: PresenceQueue;

  constructor(options: ServerClientOptions) {
    this.#options = options;
    const { url, secret, limits, routes, monotonicMs, log } = options;
    this.#rpcs = new ServerRpcs(limits.serverRequestTimeoutMs, (message) => this.#connection.send(message));
    this.#connection = new ServerConnection({
      url,
      secret,
      limits,
      onOpen: () => this.#greet(),
      onMessage: (message) => this.#onMessage(message),
      onHeartbeat: () => this.#connection.send({ type: 'heartbeat', load: this.#load.read(), bootId: this.#bootId }),
      onClosed: () => this.#rpcs.rejectAll(),
      monotonicMs,
      log,
    });
    this.#routeSync = new RouteSync({
      routes,
      requestSnapshot: () => this.#connection.send({ type: 'resync' }),
      onSnapshot: () => {
        this.#connection.resetBackoff();
        this.#ready.resolve();
      },
    });
    this.#presence = new PresenceQueue({
      isConnected: () => this.#connection.isOpen,
      send: (events) => this.#connection.send({ type: 'presence', events }),
      maxQueued: limits.maxQueuedPresence,
      monotonicMs,
    });
    // A rejection is no error when nobody waits for the routes.
    this.#ready.promise.catch(() => {});
  }

  start(): void {
    this.#connection.start();
  }

  /** Resolves with the first snapshot of the routes; rejects when the relay stops before. */
  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  /** Throws AppError with the server's code, or `server.unavailable` when there is no answer. */
  enrol(request: EnrolRequest): Promise<DeviceRoutes> {
    return this.#rpcs.enrol(request);
  }

  /** The device of a frpc with its own frpc.toml. Throws AppError like `enrol`. */
  logInFrpc(login: FrpcLoginRequest): Promise<DeviceRoutes> {
    return this.#rpcs.logInFrpc(login);
  }

  /** Resolves when the server has accepted the login. Throws AppError like `enrol`. */
  claimFrpcLogin(claim: FrpcClaim): Promise<void> {
    return this.#rpcs.claimFrpcLogin(claim);
  }

  /** False when the server is away. */
  reportFrpcProven(deviceId: number): boolean {
    return this.#connection.send({ type: 'frpc_proven', deviceId });
  }

  /** Resolves when the mappings of the proxy are in the routes. Throws AppError `server.unavailable`. */
  applyFrpcProxy(request: FrpcProxyRequest): Promise<FrpcProxyResult> {
    return this.#rpcs.applyFrpcProxy(request);
  }

  /** Throws AppError like `enrol`. */
  redeemTicket(request: TicketRedemption): Promise<VisitorProof> {
    return this.#rpcs.redeemTicket(request);
  }

  /** Resolves when this client's address was marked and is in the routes. Throws AppError like `enrol`. */
  async markClient(client: ClientToMark): Promise<void> {
    await this.#rpcs.markClient(client);
  }

  /** False when the server is away. */
  reportUsage(report: UsageReport): boolean {
    return this.#connection.send({ type: 'usage', bootId: this.#bootId, ...report });
  }

  /** False when the server is away. */
  reportVisits(report: VisitReport): boolean {
    return this.#connection.send({ type: 'visits', bootId: this.#bootId, ...report });
  }

  /** False when the server is away. */
  reportAttempts(attempts: RelayAttempt[]): boolean {
    return this.#connection.send({ type: 'device_attempts', attempts });
  }

  /** False when the server is away. */
  reportLines(report: { lines: DeviceLine[]; isWhole: boolean }): boolean {
    return this.#connection.send({ type: 'lines', ...report });
  }

  /** Sent in batches; what is dropped while the server is away, the next hello makes up for. */
  reportPresence(event: PresenceEvent): void {
    this.#presence.add(event);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#presence.flush();
    this.#ready.reject(new Error('the relay was stopped'));
    await this.#connection.close();
  }

  /** Sends the hello: who is online, which also requests a snapshot. */
  #greet(): void {
    const { relayId, onlineEvents, onGreeted } = this.#options;
    this.#routeSync.restart();
    const online = onlineEvents();
    const [first = [], ...rest] = presenceBatches(online);
    const hello = { type: 'hello', protocol: RELAY_CONTROL_PROTOCOL, relayId, bootId: this.#bootId } as const;
    this.#connection.send({ ...hello, online: first });
    // To the server these devices were offline for a moment; the last event counts.
    for (const events of rest) this.#connection.send({ type: 'presence', events });
    this.#presence.dropKnown(online);
    this.#presence.flush();
    onGreeted();
  }

  #onMessage(message: ServerToRelay): void {
    const { onEdge, onCertificates, onCertificatesKept, onUsageStored, onVisitsStored } = this.#options;
    switch (message.type) {
      case 'snapshot':
      case 'device':
      case 'device_removed':
        return this.#routeSync.onMessage(message);
      case 'edge':
        return onEdge(message.edge);
      case 'certificates':
        return onCertificates(message.certificates);
      case 'certificates_kept':
        return onCertificatesKept(message.ids);
      case 'usage_stored':
        return onUsageStored(message.sequence);
      case 'visits_stored':
        return onVisitsStored(message.sequence);
      case 'greet':
        return this.#greet();
      case 'probe':
        return void this.#answer(message.correlation, this.#options.probe(message.deviceId, message.mappingId));
      case 'trial':
        return void this.#tryVisit(message);
      case 'upgrade':
        return void this.#answer(message.correlation, this.#options.upgrade(message.deviceId, message.offer));
      case 'wake':
        return void this.#answer(message.correlation, this.#options.wake(message.deviceId, message.mac));
      case 'discover':
        return this.#discover(message);
      case 'diagnose':
        return void this.#diagnose(message);
      case 'enrol_result':
      case 'ticket_result':
      case 'mark_result':
      case 'frpc_login_result':
      case 'frpc_claim_result':
      case 'frpc_proxy_result':
        return this.#onReply(message);
    }
  }

  #onReply(message: RpcReply): void {
    const { type } = message;
    if ((type === 'enrol_result' || type === 'frpc_login_result') && message.result.ok)
      this.#routeSync.noteEnrolled(message.result.device);
    // Processed in order with all route changes, so that what was asked for is already in the routes.
    if ((type === 'mark_result' || type === 'frpc_proxy_result') && message.result.ok)
      this.#routeSync.put(message.result.device);
    this.#rpcs.onReply(message);
  }

  async #answer(correlation: number, probing: Promise<ProbeResult>): Promise<void> {
    const result = await this.#unlessFailed(probing, { ok: false, step: 'relay', ms: 0, seen: 'failed' });
    this.#connection.send({ type: 'probe_result', correlation, result });
  }

  async #tryVisit({ correlation, deviceId, visit }: ServerMessage<'trial'>): Promise<void> {
    const failed = { answers: [], failure: 'relay-failed', script: null, socket: null, greeting: null };
    const result = await this.#unlessFailed(this.#options.trial(deviceId, visit), failed);
    this.#connection.send({ type: 'trial_result', correlation, result });
  }

  async #diagnose({ correlation, deviceId }: ServerMessage<'diagnose'>): Promise<void> {
    const result = await this.#unlessFailed(this.#options.diagnose(deviceId), { ok: false, reason: 'lost' });
    this.#connection.send({ type: 'diagnosis', correlation, result });
  }

  /** A fault in what one owner asks for must not end the relay, nor leave the server without an answer. */
  async #unlessFailed<Result>(asked: Promise<Result>, failed: Result): Promise<Result> {
    try {
      return await asked;
    } catch (err) {
      this.#options.log.error({ err }, 'what the server asked for failed');
      return failed;
    }
  }

  #discover({ correlation, deviceId }: ServerMessage<'discover'>): void {
    this.#options.discover(deviceId, (report) => {
      this.#connection.send({ type: 'discovery', correlation, report });
    });
  }
}
