import {
  AppError,
  RELAY_CONTROL_PROTOCOL,
  type ErrorCode,
  type RelayToServer,
  type ServerToRelay,
} from '@tongtu/contract';
import type { WebSocket } from 'ws';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import type { Enrolment } from '../devices/index.ts';
import type { Redemption, Verification } from '../gate/index.ts';
import type { Client } from '../sharing/index.ts';
import { storeUsage } from '../usage/index.ts';
import type { EdgeFeed } from './edge-feed.ts';
import { plainText } from './plain-text.ts';
import { Probes } from './probes.ts';
import { greetRelay, recordPresence, recordRelayStop } from './record-presence.ts';
import { LINK_PROTOCOL, RelayLink } from './relay-link.ts';
import { getHomeServerId, touchRelay } from './relay-store.ts';
import type { RouteFeed } from './route-feed.ts';

export type RelaySessionDeps = {
  db: Db;
  log: Logger;
  /** Suffix of the region that relays belong to. */
  homeSuffix: string;
  enrol: (enrolment: Enrolment) => Promise<{ deviceId: number }>;
  redeem: (redemption: Redemption) => Promise<Verification>;
  mark: (client: Client) => Promise<{ deviceId: number }>;
};

type SessionWiring = {
  feed: RouteFeed;
  edge: EdgeFeed;
  /** Called with every hello; resolves when an older link of the same relay changes nothing any more. */
  takePlace: (session: RelaySession) => Promise<void>;
  /** True when this session is still the relay's own. */
  leave: (session: RelaySession) => boolean;
};

type Call = Extract<RelayToServer, { type: 'enrol' | 'redeem_ticket' | 'mark_client' }>;

const resultOf = { enrol: 'enrol_result', redeem_ticket: 'ticket_result', mark_client: 'mark_result' } as const;

/** At once. Each kind has its own: strangers can bring about any number of two of them, and devices must get in meanwhile. */
const MAX_CALLS = { enrol: 128, redeem_ticket: 256, mark_client: 128 } as const satisfies Record<Call['type'], number>;

/** What one connected relay says and is told, from its hello to its close. */
export class RelaySession {
  readonly probes: Probes;
  readonly #deps: RelaySessionDeps;
  readonly #wiring: SessionWiring;
  readonly #link: RelayLink;
  readonly #calls: Record<Call['type'], Set<Promise<void>>> = {
    enrol: new Set(),
    redeem_ticket: new Set(),
    mark_client: new Set(),
  };
  readonly #closing = Promise.withResolvers<void>();
  #relayId: string | undefined;

  constructor(deps: RelaySessionDeps, wiring: SessionWiring, socket: WebSocket) {
    this.#deps = deps;
    this.#wiring = wiring;
    this.#link = new RelayLink({
      socket,
      log: deps.log,
      onMessage: async (message) => await this.#handle(message),
      onClose: (close) => void this.#closed(close).finally(() => this.#closing.resolve()),
    });
    this.probes = new Probes((message) => this.send(message));
  }

  /** Undefined until its hello. */
  get relayId(): string | undefined {
    return this.#relayId;
  }

  send(message: ServerToRelay): void {
    this.#link.send(message);
  }

  /** Resolves when it has left this process, or never will. */
  async deliver(message: ServerToRelay): Promise<void> {
    const left = this.#link.deliver(message);
    // After each whole picture of the routes, so that a relay which asks anew has everything anew.
    if (message.type === 'snapshot' && message.isLast) this.#wiring.edge.subscribe(this);
    await left;
  }

  /** Takes nothing more; resolves when nothing of this session is in work. */
  async end(code: number, reason: string): Promise<void> {
    await this.#link.end(code, reason);
    await Promise.all(Object.values(this.#calls).flatMap((open) => [...open]));
  }

  /** Resolves when the connection is closed and that is written down. */
  async closed(): Promise<void> {
    await this.#closing.promise;
  }

  async #handle(message: RelayToServer): Promise<void> {
    if (message.type === 'hello') return await this.#greet(message);
    const relayId = this.#relayId;
    if (relayId === undefined) {
      this.#deps.log.warn({ type: message.type }, 'a relay did not begin with hello');
      void this.#link.end(LINK_PROTOCOL, 'hello expected');
      return;
    }
    switch (message.type) {
      case 'resync':
        return this.#wiring.feed.subscribe(this);
      case 'heartbeat':
        return await this.#beat({ id: relayId, bootId: message.bootId, load: message.load });
      case 'presence':
        return await recordPresence(this.#deps.db, relayId, message.events);
      case 'usage':
        return await this.#storeUsage(relayId, message);
      case 'probe_result':
        return this.probes.answer(message.correlation, message.result);
      case 'enrol':
      case 'redeem_ticket':
      case 'mark_client':
        return this.#call(message);
    }
  }

  async #storeUsage(relayId: string, report: Extract<RelayToServer, { type: 'usage' }>): Promise<void> {
    await storeUsage(this.#deps.db, { ...report, relayId, bootId: plainText(report.bootId, 64) });
    this.send({ type: 'usage_stored', sequence: report.sequence });
  }

  async #beat(relay: { id: string; bootId: string; load: number }): Promise<void> {
    if (await touchRelay(this.#deps.db, relay)) return;
    this.#deps.log.warn({ relayId: relay.id }, 'two relays use one id');
    this.send({ type: 'greet' });
  }

  async #greet(hello: Extract<RelayToServer, { type: 'hello' }>): Promise<void> {
    const isOther = this.#relayId !== undefined && this.#relayId !== hello.relayId;
    if (hello.protocol !== RELAY_CONTROL_PROTOCOL || isOther) {
      this.#deps.log.warn({ relayId: hello.relayId, protocol: hello.protocol }, 'hello of a relay refused');
      void this.#link.end(LINK_PROTOCOL, `protocol ${RELAY_CONTROL_PROTOCOL} expected`);
      return;
    }
    this.#relayId = hello.relayId;
    await this.#wiring.takePlace(this);
    await greetRelay(this.#deps.db, hello, this.#deps.homeSuffix);
    this.#wiring.feed.subscribe(this);
    this.#deps.log.info({ relayId: hello.relayId, devices: hello.online.length }, 'relay connected');
  }

  /** Calls do not wait for each other, nor does presence wait for them. */
  #call(call: Call): void {
    const open = this.#calls[call.type];
    if (open.size >= MAX_CALLS[call.type]) return this.#refuse(call, 'request.too-many');
    const task = this.#answer(call).catch((error: unknown) => {
      if (!(error instanceof AppError)) this.#deps.log.error({ err: error, type: call.type }, 'call of a relay failed');
      this.#refuse(call, error instanceof AppError ? error.code : 'server.internal');
    });
    open.add(task);
    void task.finally(() => open.delete(task));
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
    const { deviceId } = await this.#deps.enrol({ ...call, token: plainText(call.token, 200), serverId });
    this.#sendDevice(call, deviceId);
  }

  /** In its turn with everything that is told of routes, so that nothing older follows it. */
  #sendDevice(call: Exclude<Call, { type: 'redeem_ticket' }>, deviceId: number): void {
    this.#wiring.feed.readDevice(deviceId, (device) => {
      const { correlation } = call;
      if (device) this.send({ type: resultOf[call.type], correlation, result: { ok: true, device } });
      else this.#refuse(call, 'device.not-found');
    });
  }

  #refuse(call: Call, code: ErrorCode): void {
    this.send({ type: resultOf[call.type], correlation: call.correlation, result: { ok: false, code } });
  }

  async #closed({ isStopping }: { isStopping: boolean }): Promise<void> {
    this.probes.close();
    this.#wiring.feed.unsubscribe(this);
    this.#wiring.edge.unsubscribe(this);
    const isCurrent = this.#wiring.leave(this);
    if (this.#relayId === undefined) return;
    this.#deps.log.info({ relayId: this.#relayId, isStopping }, 'relay disconnected');
    // Without a goodbye its devices stay as they are: the relay may be back at once, and the time limit covers the rest.
    if (!isStopping || !isCurrent) return;
    await recordRelayStop(this.#deps.db, this.#relayId).catch((err: unknown) => {
      this.#deps.log.warn({ err, relayId: this.#relayId }, 'could not mark the devices of a stopped relay');
    });
  }
}
