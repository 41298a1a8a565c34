import type {
  DeviceRoutes,
  DiagnosisResult,
  LineLoss,
  OfflineReason,
  PresenceEvent,
  ProbeResult,
} from '@tongtu/contract';
import type { UpgradeOffer } from '@tongtu/tunnel';
import type { Logger } from 'pino';
import type { RelayLimits } from '../config/relay-limits.ts';
import { routeOfApp } from '../routes/app-route.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import type { RouteListener, RouteTable } from '../routes/route-table.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import type { MappingPool } from '../upstream/mapping-pool.ts';
import type { UpstreamPool } from '../upstream/upstream-stream.ts';
import type { OnReport } from './discoveries.ts';
import type { DeviceLink } from './device-link.ts';
import { DeviceSession } from './device-session.ts';
import { Replacements } from './replacements.ts';

/** How long agents wait before they reconnect to a relay that stops: the more agents, the longer. */
const STOPPING_RETRY_MS = 500;
/** The account may be enabled again at any time. */
const SUSPENDED_RETRY_MS = 10_000;
const SPREAD_PER_DEVICE_MS = 1;
const MAX_SPREAD_MS = 4_500;
/** Pings are writes: this many take a few milliseconds, and visitors are served in between. */
const BEATS_PER_TURN = 32;

const offline: ProbeResult = { ok: false, step: 'agent', ms: 0, seen: 'offline' };
const noRoute: ProbeResult = { ok: false, step: 'relay', ms: 0, seen: 'no_route' };

export type DeviceSessionsDeps = {
  routes: RouteTable;
  limits: RelayLimits;
  usage: UsageLedger;
  monotonicMs: () => number;
  wallClockMs: () => number;
  onPresence: (event: PresenceEvent) => void;
  /** The line of a device begins or ceases to lose packets; undefined: it does not, or is offline. */
  onLine: (deviceId: number, loss: LineLoss | undefined) => void;
  log: Logger;
};

/** The devices with a session, one each, the newest: those that are online, and those that may join theirs again. */
export class DeviceSessions implements RouteListener {
  readonly #deps: DeviceSessionsDeps;
  readonly #sessions = new Map<number, DeviceSession>();
  readonly #offlineSinceMs = new Map<number, number>();
  readonly #replacements = new Replacements();
  readonly #clock: NodeJS.Timeout;
  /** Sessions of devices that are offline and may come back. */
  #awayCount = 0;
  #lastEpoch = 0;
  #isBeating = false;
  #beatAtMs = Number.NEGATIVE_INFINITY;
  /** When this process last went on after it had stood still: what devices sent meanwhile was not read. */
  #wokeAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: DeviceSessionsDeps) {
    this.#deps = deps;
    this.#clock = setInterval(() => this.#beat(), deps.limits.heartbeatCheckMs);
  }

  /** Devices that are online. */
  get count(): number {
    return this.#sessions.size - this.#awayCount;
  }

  get onlineEvents(): PresenceEvent[] {
    return [...this.#sessions.values()].filter(({ isOnline }) => isOnline).map((session) => session.onlineEvent);
  }

  /** Makes this connection the device's session, and replaces an earlier one. */
  admit(device: DeviceRoutes, link: DeviceLink): DeviceSession {
    const { limits, usage, monotonicMs, wallClockMs, log } = this.#deps;
    const session = new DeviceSession({
      device,
      link,
      nextEpoch: () => (this.#lastEpoch = Math.max(wallClockMs(), this.#lastEpoch + 1)),
      limits,
      usage,
      monotonicMs,
      wallClockMs,
      log,
      onAway: (away, reason) => this.#onAway(away, reason),
      onOnline: (online, { wasAway }) => this.#onOnline(online, wasAway),
      onEnded: (ended, reason) => this.#onEnded(ended, reason),
      onLine: (loss) => {
        if (this.#sessions.get(device.deviceId) === session) this.#deps.onLine(device.deviceId, loss);
      },
    });
    const replaced = this.#sessions.get(device.deviceId);
    this.#sessions.set(device.deviceId, session);
    this.#offlineSinceMs.delete(device.deviceId);
    if (replaced !== undefined) this.#replace(replaced, session);
    this.#deps.onLine(device.deviceId, undefined);
    this.#deps.onPresence(session.onlineEvent);
    return session;
  }

  /** The connection of a device, if it is online here. */
  findLink(deviceId: number): DeviceLink | undefined {
    return this.#findOnline(deviceId)?.options.link;
  }

  /** Also of a device that may come back: its visitors wait for a while. */
  findPool(entry: RouteEntry): UpstreamPool | undefined {
    return this.#sessions.get(entry.owner.device.deviceId)?.poolFor(entry);
  }

  /** Undefined: the device is offline. */
  openTrialPool(entry: RouteEntry): MappingPool | undefined {
    return this.#findOnline(entry.owner.device.deviceId)?.openTrialPool(entry);
  }

  /** When the device went offline, if this relay noticed it. */
  offlineSinceMs(deviceId: number): number | undefined {
    return this.#offlineSinceMs.get(deviceId);
  }

  async probe(deviceId: number, mappingId: number): Promise<ProbeResult> {
    const session = this.#findOnline(deviceId);
    if (session === undefined) return offline;
    const device = this.#deps.routes.findDevice(deviceId);
    const app = device?.apps?.find(({ appId }) => appId === mappingId);
    const route = app ? routeOfApp(app) : device?.routes.find((candidate) => candidate.mappingId === mappingId);
    if (route === undefined || device?.enabled !== true) return noRoute;
    return await session.probe(route);
  }

  async wake(deviceId: number, mac: string): Promise<ProbeResult> {
    const session = this.#findOnline(deviceId);
    if (session === undefined) return offline;
    return this.#deps.routes.findDevice(deviceId)?.enabled === true ? await session.wake(mac) : noRoute;
  }

  async upgrade(deviceId: number, offer: UpgradeOffer): Promise<ProbeResult> {
    const session = this.#findOnline(deviceId);
    if (session === undefined) return offline;
    return this.#deps.routes.findDevice(deviceId)?.enabled === true ? await session.upgrade(offer) : noRoute;
  }

  /** Has a device scan its LAN. The last report is of type `end`. */
  discover(deviceId: number, onReport: OnReport): void {
    const session = this.#findOnline(deviceId);
    if (session === undefined || this.#deps.routes.findDevice(deviceId)?.enabled !== true)
      return onReport({ type: 'end', result: 'offline' });
    session.discover(onReport);
  }

  async diagnose(deviceId: number): Promise<DiagnosisResult> {
    const session = this.#findOnline(deviceId);
    if (session === undefined || this.#deps.routes.findDevice(deviceId)?.enabled !== true)
      return { ok: false, reason: 'offline' };
    return await session.diagnose();
  }

  onDeviceChanged(device: DeviceRoutes): void {
    const session = this.#sessions.get(device.deviceId);
    if (session?.options.link.isLoginOf(device) === false)
      return session.end({ code: 'login.bad-signature', retryAfterMs: null }, 'connection_lost');
    if (device.isSuspended !== true) return session?.update(device);
    session?.cutVisitors();
    session?.end({ code: 'user.disabled', retryAfterMs: SUSPENDED_RETRY_MS }, 'account_disabled');
  }

  onDeviceRemoved(deviceId: number): void {
    const session = this.#sessions.get(deviceId);
    // Waiting visitors get the answer of a new request: that the address does not exist.
    session?.cutVisitors();
    session?.end({ code: 'device.removed', retryAfterMs: null }, 'connection_lost');
    this.#offlineSinceMs.delete(deviceId);
    this.#replacements.forget(deviceId);
  }

  /** Refuses new streams; open requests go on. */
  goAway(): void {
    for (const session of this.#sessions.values()) session.options.link.goAway();
  }

  /** The relay stops. */
  endAll(): void {
    clearInterval(this.#clock);
    const spreadMs = Math.min(this.count * SPREAD_PER_DEVICE_MS, MAX_SPREAD_MS);
    for (const session of [...this.#sessions.values()]) {
      const retryAfterMs = STOPPING_RETRY_MS + Math.round(spreadMs * Math.random());
      session.end({ code: 'relay.stopping', retryAfterMs }, 'relay_stopped');
    }
  }

  #findOnline(deviceId: number): DeviceSession | undefined {
    const session = this.#sessions.get(deviceId);
    return session?.isOnline === true ? session : undefined;
  }

  #replace(older: DeviceSession, newer: DeviceSession): void {
    const { deviceId } = newer;
    // Nobody is there whom it takes the place from: the agent was started anew, or could not join.
    if (!older.isOnline || !older.isConnected)
      return older.end({ code: 'session.replaced', retryAfterMs: 0 }, 'replaced');
    const { retryAfterMs, isRepeated } = this.#replacements.add(deviceId, this.#deps.monotonicMs());
    const facts = { deviceId, olderIp: older.options.link.facts.publicIp, newerIp: newer.options.link.facts.publicIp };
    if (isRepeated) this.#deps.log.warn({ ...facts, retryAfterMs }, 'two devices seem to use one identity');
    else this.#deps.log.info(facts, 'a newer connection takes the place of the older one');
    older.end({ code: 'session.replaced', retryAfterMs }, 'replaced');
  }

  #beat(): void {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.#noteStandstill();
    this.#beatSome([...this.#sessions.values()], 0);
  }

  /** A third of the heartbeat time and the silence between two pings are less than that time together. */
  #noteStandstill(): void {
    const { heartbeatCheckMs, heartbeatLostMs } = this.#deps.limits;
    const monotonicMs = this.#deps.monotonicMs();
    if (monotonicMs - this.#beatAtMs > heartbeatCheckMs + heartbeatLostMs / 3) this.#wokeAtMs = monotonicMs;
    this.#beatAtMs = monotonicMs;
  }

  /** Thousands of sessions may be due at once after all agents have reconnected. */
  #beatSome(sessions: DeviceSession[], from: number): void {
    const monotonicMs = this.#deps.monotonicMs();
    const next = from + BEATS_PER_TURN;
    for (const session of sessions.slice(from, next)) session.beat(monotonicMs, this.#wokeAtMs);
    if (next < sessions.length) setImmediate(() => this.#beatSome(sessions, next));
    else this.#isBeating = false;
  }

  #onAway(session: DeviceSession, reason: OfflineReason): void {
    this.#awayCount++;
    this.#reportOffline(session, reason);
  }

  #onOnline(session: DeviceSession, wasAway: boolean): void {
    if (wasAway) this.#awayCount--;
    this.#offlineSinceMs.delete(session.deviceId);
    this.#deps.onPresence(session.onlineEvent);
  }

  #onEnded(session: DeviceSession, reason: OfflineReason): void {
    const { deviceId } = session;
    if (!session.isOnline) this.#awayCount--;
    // A replaced session no longer reports the device's presence.
    if (this.#sessions.get(deviceId) !== session) return;
    this.#sessions.delete(deviceId);
    this.#deps.onLine(deviceId, undefined);
    if (session.isOnline) this.#reportOffline(session, reason);
  }

  #reportOffline({ deviceId, epoch }: DeviceSession, reason: OfflineReason): void {
    const atMs = this.#deps.wallClockMs();
    if (this.#deps.routes.findDevice(deviceId) !== undefined) this.#offlineSinceMs.set(deviceId, atMs);
    this.#deps.onPresence({ online: false, deviceId, epoch, atMs, reason });
  }
}
