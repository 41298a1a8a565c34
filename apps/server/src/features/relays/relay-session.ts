import {
  AppError,
  MAX_RELAY_CALLS,
  RELAY_CONTROL_PROTOCOL,
  type ErrorCode,
  type FrpcProxy,
  type RelayAttempt,
  type RelayToServer,
  type ServerToRelay,
} from '@tongtu/contract';
import type { WebSocket } from 'ws';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import type { Enrolment } from '../devices/index.ts';
import type { FrpcLogin, FrpcLoginTime } from '../frpc-devices/index.ts';
import type { Redemption, Verification } from '../gate/index.ts';
import type { Client } from '../sharing/index.ts';
import { storeUsage } from '../usage/index.ts';
import { storeVisits } from '../visits/index.ts';
import type { EdgeFeed } from './edge/edge-feed.ts';
import { plainText } from './plain-text.ts';
import { PendingDiagnoses } from './pending-diagnoses.ts';
import { PendingDiscoveries } from './pending-discoveries.ts';
import { PendingProbes } from './pending-probes.ts';
import { PendingTrials } from './pending-trials.ts';
import { recordHello, recordPresence, recordRelayStop } from './presence/record-presence.ts';
import { recordLines } from './presence/record-lines.ts';
import { bilingualText } from './bilingual-text.ts';
import { LINK_PROTOCOL, RelayLink } from './relay-link.ts';
import { getHomeServerId, touchRelay } from './presence/relay-store.ts';
import type { RouteFeed } from './routes/route-feed.ts';

export type RelaySessionDeps = {
  db: Db;
  log: Logger;
  /** Visitors and networks are stored as hashes with this key. */
  sourceKey: Buffer;
  /** Suffix of the region to which relays belong. */
  homeSuffix: string;
  enrol: (enrolment: Enrolment) => Promise<{ deviceId: number }>;
  redeem: (redemption: Redemption) => Promise<Verification>;
  mark: (client: Client) => Promise<{ deviceId: number }>;
  /** A device that a relay did not let in. */
  noteAttempt: (attempt: RelayAttempt) => void;
  onEnrolRefused: (refusal: { code: ErrorCode; token: string; ip: string }) => Promise<void>;
  logInFrpc: (login: FrpcLogin) => Promise<{ deviceId: number }>;
  claimFrpcLogin: (login: FrpcLoginTime) => Promise<void>;
  onFrpcProven: (deviceId: number) => Promise<void>;
  applyFrpcProxy: (request: {
    deviceId: number;
    proxy: FrpcProxy;
    keptMappingIds: number[];
  }) => Promise<{ deviceId: number; mappingIds: number[] }>;
};

type SessionHub = {
  feed: RouteFeed;
  edge: EdgeFeed;
  /** Called with every hello. Resolves when an older session of the same relay has ended. */
  register: (session: RelaySession) => Promise<void>;
  /** True if this session was the current one of its relay. */
  unregister: (session: RelaySession) => boolean;
};

type Call = Extract<RelayToServer, { type: keyof typeof resultOf }>;

const resultOf = {
  enrol: 'enrol_result',
  redeem_ticket: 'ticket_result',
  mark_client: 'mark_result',
  frpc_login: 'frpc_login_result',
  frpc_claim: 'frpc_claim_result',
  frpc_proxy: 'frpc_proxy_result',
} as const;

/** One connected relay, from its hello to its close. */
export class RelaySession {
  readonly probes: PendingProbes;
  readonly discoveries: PendingDiscoveries;
  readonly diagnoses: PendingDiagnoses;
  readonly trials: PendingTrials;
  readonly #deps: RelaySessionDeps;
  readonly #hub: SessionHub;
  readonly #link: RelayLink;
  readonly #calls: Record<Call['type'], Set<Promise<void>>> = {
    enrol: new Set(),
    redeem_ticket: new Set(),
    mark_client: new Set(),
    frpc_login: new Set(),
    frpc_claim: new Set(),
    frpc_proxy: new Set(),
  };
  readonly #closing = Promise.withResolvers<void>();
  #relayId: string | undefined;

  constructor(deps: RelaySessionDeps, hub: SessionHub, socket: WebSocket) {
    this.#deps = deps;
    this.#hub = hub;
    this.#link = new RelayLink({
      socket,
      log: deps.log,
      onMessage: async (message) => await this.#handle(message),
      onClose: (close) => void this.#closed(close).finally(() => this.#closing.resolve()),
    });
    this.probes = new PendingProbes((message) => this.send(message));
    this.discoveries = new PendingDiscoveries((message) => this.send(message));
    this.diagnoses = new PendingDiagnoses((message) => this.send(message));
    this.trials = new PendingTrials((message) => this.send(message));
  }

  /** Undefined before the hello. */
  get relayId(): string | undefined {
    return this.#relayId;
  }

  send(message: ServerToRelay): void {
    this.#link.send(message);
  }

  /** Resolves when the message has left this process, or the connection has ended. */
  async deliver(message: ServerToRelay): Promise<void> {
    const delivered = this.#link.deliver(message);
    // After each complete snapshot, so that a resync also resends the edge state.
    if (message.type === 'snapshot' && message.isLast) this.#hub.edge.subscribe(this);
    await delivered;
  }

  /** Closes the session. Resolves when all its calls have ended. */
  async end(code: number, reason: string): Promise<void> {
    await this.#link.end(code, reason);
    await Promise.all(Object.values(this.#calls).flatMap((running) => [...running]));
  }

  /** Resolves when the connection is closed and that is stored. */
  async closed(): Promise<void> {
    await this.#closing.promise;
  }

  async #handle(message: RelayToServer): Promise<void> {
    if (message.type === 'hello') return await this.#handleHello(message);
    const relayId = this.#relayId;
    if (relayId === undefined) {
      this.#deps.log.warn({ type: message.type }, 'the first message of a relay was not hello');
      void this.#link.end(LINK_PROTOCOL, 'hello expected');
      return;
    }
    switch (message.type) {
      case 'resync':
        return this.#hub.feed.subscribe(this);
      case 'heartbeat':
        return await this.#handleHeartbeat({ id: relayId, bootId: message.bootId, load: message.load });
      case 'presence':
        return await recordPresence(this.#deps.db, relayId, message.events);
      case 'lines':
        return await recordLines(this.#deps.db, relayId, message);
      case 'usage':
        return await this.#storeUsage(relayId, message);
      case 'visits':
        return await this.#storeVisits(relayId, message);
      case 'device_attempts':
        for (const attempt of message.attempts) this.#deps.noteAttempt({ ...attempt, ip: plainText(attempt.ip, 64) });
        return;
      case 'probe_result':
        return this.probes.reply(message.correlation, message.result);
      case 'trial_result':
        return this.trials.reply(message.correlation, message.result);
      case 'discovery':
        return this.discoveries.onReport(message.correlation, message.report);
      case 'diagnosis':
        return this.diagnoses.onResult(message.correlation, message.result);
      case 'enrol':
      case 'redeem_ticket':
      case 'mark_client':
      case 'frpc_login':
      case 'frpc_claim':
      case 'frpc_proxy':
        return this.#call(message);
      case 'frpc_proven':
        return await this.#deps.onFrpcProven(message.deviceId);
    }
  }

  async #storeUsage(relayId: string, report: Extract<RelayToServer, { type: 'usage' }>): Promise<void> {
    await storeUsage(this.#deps, { ...report, relayId, bootId: plainText(report.bootId, 64) });
    this.send({ type: 'usage_stored', sequence: report.sequence });
  }

  async #storeVisits(relayId: string, report: Extract<RelayToServer, { type: 'visits' }>): Promise<void> {
    await storeVisits(this.#deps.db, { ...report, relayId, bootId: plainText(report.bootId, 64) });
    this.send({ type: 'visits_stored', sequence: report.sequence });
  }

  async #handleHeartbeat(relay: { id: string; bootId: string; load: number }): Promise<void> {
    if (await touchRelay(this.#deps.db, relay)) return;
    this.#deps.log.warn({ relayId: relay.id }, 'two relays use the same id');
    this.send({ type: 'greet' });
  }

  async #handleHello(hello: Extract<RelayToServer, { type: 'hello' }>): Promise<void> {
    const isOther = this.#relayId !== undefined && this.#relayId !== hello.relayId;
    if (hello.protocol !== RELAY_CONTROL_PROTOCOL || isOther) {
      this.#deps.log.warn({ relayId: hello.relayId, protocol: hello.protocol }, 'refused the hello of a relay');
      void this.#link.end(LINK_PROTOCOL, `protocol ${RELAY_CONTROL_PROTOCOL} expected`);
      return;
    }
    this.#relayId = hello.relayId;
    await this.#hub.register(this);
    await recordHello(this.#deps.db, hello, this.#deps.homeSuffix);
    this.#hub.feed.subscribe(this);
    this.#deps.log.info({ relayId: hello.relayId, devices: hello.online.length }, 'relay connected');
  }

  /** Calls run concurrently, and presence does not wait for them. */
  #call(call: Call): void {
    const running = this.#calls[call.type];
    if (running.size >= MAX_RELAY_CALLS[call.type]) return this.#refuse(call, new AppError('request.too-many'));
    const task = this.#answer(call).catch((error: unknown) => {
      if (!(error instanceof AppError)) this.#deps.log.error({ err: error, type: call.type }, 'call of a relay failed');
      this.#refuse(call, error instanceof AppError ? error : new AppError('server.internal'));
    });
    running.add(task);
    void task.finally(() => running.delete(task));
  }

  async #answer(call: Call): Promise<void> {
    switch (call.type) {
      case 'enrol':
        return await this.#enrol(call);
      case 'redeem_ticket':
        return await this.#redeem(call);
      case 'mark_client': {
        const client = { ...call, ip: plainText(call.ip, 64), userAgent: plainText(call.userAgent, 512) };
        return this.#sendDevice(call, (await this.#deps.mark(client)).deviceId);
      }
      case 'frpc_login':
        return await this.#logInFrpc(call);
      case 'frpc_claim':
        await this.#deps.claimFrpcLogin(call);
        return this.send({ type: 'frpc_claim_result', correlation: call.correlation, result: { ok: true } });
      case 'frpc_proxy':
        return await this.#applyFrpcProxy(call);
    }
  }

  async #redeem(call: Extract<Call, { type: 'redeem_ticket' }>): Promise<void> {
    const verification = await this.#deps.redeem({
      ticket: call.ticket,
      host: plainText(call.host, 260),
      visitorIp: plainText(call.visitorIp, 64),
      userAgent: plainText(call.userAgent, 512),
      verificationId: call.verificationId,
    });
    this.send({ type: 'ticket_result', correlation: call.correlation, result: { ok: true, ...verification } });
  }

  async #enrol(call: Extract<Call, { type: 'enrol' }>): Promise<void> {
    const serverId = await getHomeServerId(this.#deps.db, this.#deps.homeSuffix);
    const token = plainText(call.token, 200);
    try {
      const { deviceId } = await this.#deps.enrol({ ...call, token, serverId });
      this.#sendDevice(call, deviceId);
    } catch (error) {
      if (error instanceof AppError)
        await this.#deps.onEnrolRefused({ code: error.code, token, ip: plainText(call.publicIp, 64) });
      throw error;
    }
  }

  async #logInFrpc(call: Extract<Call, { type: 'frpc_login' }>): Promise<void> {
    const serverId = await getHomeServerId(this.#deps.db, this.#deps.homeSuffix);
    const hostName = plainText(call.hostName, 256);
    const { deviceId } = await this.#deps.logInFrpc({ ...call, hostName, serverId });
    this.#sendDevice(call, deviceId);
  }

  async #applyFrpcProxy(call: Extract<Call, { type: 'frpc_proxy' }>): Promise<void> {
    const { deviceId, mappingIds } = await this.#deps.applyFrpcProxy(call);
    this.#sendDevice(call, deviceId, { mappingIds });
  }

  /** Ordered with all other messages about routes, so that no older state follows it. */
  #sendDevice(
    call: Exclude<Call, { type: 'redeem_ticket' | 'frpc_claim' }>,
    deviceId: number,
    more: { mappingIds?: number[] } = {},
  ): void {
    this.#hub.feed.readDevice(deviceId, (device) => {
      const { correlation } = call;
      if (device) this.send({ type: resultOf[call.type], correlation, result: { ok: true, device, ...more } });
      else this.#refuse(call, new AppError('device.not-found'));
    });
  }

  #refuse({ type, correlation }: Call, error: AppError): void {
    const { code } = error;
    if (type !== 'frpc_proxy') return this.send({ type: resultOf[type], correlation, result: { ok: false, code } });
    this.send({ type: 'frpc_proxy_result', correlation, result: { ok: false, code, text: bilingualText(error) } });
  }

  async #closed({ isStopping }: { isStopping: boolean }): Promise<void> {
    this.probes.close();
    this.discoveries.close();
    this.diagnoses.close();
    this.trials.close();
    this.#hub.feed.unsubscribe(this);
    this.#hub.edge.unsubscribe(this);
    const isCurrent = this.#hub.unregister(this);
    if (this.#relayId === undefined) return;
    this.#deps.log.info({ relayId: this.#relayId, isStopping }, 'relay disconnected');
    // If the connection was lost, the devices stay online: the relay may reconnect at once, or its heartbeat times out.
    if (!isStopping || !isCurrent) return;
    await recordRelayStop(this.#deps.db, this.#relayId).catch((err: unknown) => {
      this.#deps.log.warn({ err, relayId: this.#relayId }, 'could not mark the devices of a stopped relay');
    });
  }
}
