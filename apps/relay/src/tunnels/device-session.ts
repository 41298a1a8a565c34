import type {
  DeviceRoutes,
  DiagnosisResult,
  LineLoss,
  OfflineReason,
  PresenceEvent,
  ProbeResult,
  Route,
} from '@tongtu/contract';
import { type AllowedTarget, type OpenRequest, TooManyStreamsError, type UpgradeOffer } from '@tongtu/tunnel';
import type { Logger } from 'pino';
import type { RelayLimits } from '../config/relay-limits.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import { DeviceShaping } from '../shaping/device-shaping.ts';
import { type MappingMeter, noMeter } from '../usage/mapping-meter.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import { isSameRoute, MappingPool } from '../upstream/mapping-pool.ts';
import type { TargetEvents, TargetStream } from '../upstream/target-stream.ts';
import { UpstreamBusyError, type UpstreamPool } from '../upstream/upstream-stream.ts';
import { VisitorShares } from '../upstream/visitor-shares.ts';
import { allowedTargets, usableRoutes } from './allowed-targets.ts';
import type { Bye, DeviceLink } from './device-link.ts';
import type { OnReport } from './discoveries.ts';

export type DeviceSessionOptions = {
  device: DeviceRoutes;
  link: DeviceLink;
  /** Each time the device is online anew it gets another one. */
  nextEpoch: () => number;
  limits: RelayLimits;
  usage: UsageLedger;
  monotonicMs: () => number;
  wallClockMs: () => number;
  log: Logger;
  /** The device is offline, and its session may go on. */
  onAway: (session: DeviceSession, reason: OfflineReason) => void;
  /** The device is online again, or still, with another address. */
  onOnline: (session: DeviceSession, before: { wasAway: boolean }) => void;
  onEnded: (session: DeviceSession, reason: OfflineReason) => void;
  /** Whether the line of the device loses packets; undefined: not, or unknown. */
  onLine: (loss: LineLoss | undefined) => void;
};

/**
 * A device after its login. What its program is, only its link knows. Without channels it ends with its connection; with
 * channels it is offline after a while without one, and can go on for a time: visitors' streams wait.
 */
export class DeviceSession {
  readonly #options: DeviceSessionOptions;
  readonly #pools = new Map<number, MappingPool>();
  readonly #shares: VisitorShares;
  /** Of UDP, where each pair of ports takes a stream for a while. */
  readonly #udpShares: VisitorShares;
  readonly #shaping: DeviceShaping;
  #device: DeviceRoutes;
  #pingedAtMs: number;
  #epoch: number;
  #onlineSinceMs: number;
  #publicIp: string;
  #isOnline = true;
  #isEnded = false;

  constructor(options: DeviceSessionOptions) {
    const { device, link, monotonicMs } = options;
    this.#options = options;
    this.#device = device;
    this.#epoch = options.nextEpoch();
    this.#onlineSinceMs = options.wallClockMs();
    this.#publicIp = link.facts.publicIp;
    this.#pingedAtMs = monotonicMs();
    const { maxStreamsPerVisitor, maxWaitingPerVisitor: maxWaiting } = options.limits;
    this.#shares = new VisitorShares(maxStreamsPerVisitor, { maxWaiting });
    this.#udpShares = new VisitorShares(options.limits.maxConversationsPerVisitor);
    this.#shaping = new DeviceShaping({ monotonicMs, after }, (error) =>
      link.close(new Error('a stream failed', { cause: error })),
    );
    this.#shaping.setRate(device.bandwidthBps);
    link.onEnded = (reason) => this.#finish(reason);
    link.onLine = options.onLine;
    link.onTargetsChanged = (mappingId) => this.#pools.get(mappingId)?.leaveTargets();
    link.onJoined = () => this.#onJoined();
    link.welcome({ uid: device.uid, epoch: this.#epoch, targets: this.#targetsOf(device) });
  }

  get options(): DeviceSessionOptions {
    return this.#options;
  }

  get deviceId(): number {
    return this.#device.deviceId;
  }

  get epoch(): number {
    return this.#epoch;
  }

  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** False: its connections are lost, and it may get others. */
  get isConnected(): boolean {
    return this.#options.link.channels?.disconnectedAtMs === undefined;
  }

  get onlineEvent(): PresenceEvent {
    const { epoch } = this;
    return { online: true, deviceId: this.deviceId, epoch, atMs: this.#onlineSinceMs, ...this.#options.link.facts };
  }

  poolFor(entry: RouteEntry): UpstreamPool {
    const { mappingId } = entry.route;
    const known = this.#pools.get(mappingId);
    if (known !== undefined) return known;
    const pool = this.#createPool(entry, this.#options.usage.createMeter(mappingId));
    this.#pools.set(mappingId, pool);
    return pool;
  }

  /** For a trial visit, which is no visit: nothing is counted. Its user closes it. */
  openTrialPool(entry: RouteEntry): MappingPool {
    return this.#createPool(entry, noMeter);
  }

  #createPool(entry: RouteEntry, meter: MappingMeter): MappingPool {
    const { link, limits, monotonicMs, wallClockMs } = this.#options;
    return new MappingPool(entry, meter, {
      features: link.features,
      openTarget: (request, events) => this.#openTarget(request, events),
      httpRulesOf: (id) => link.httpRulesOf(id),
      shares: entry.route.kind === 'udp' ? this.#udpShares : this.#shares,
      shaping: this.#shaping,
      isAway: () => this.#isSilent(),
      limits: { maxIdle: limits.poolMaxIdle, maxIdleMs: limits.poolIdleMs },
      monotonicMs,
      wallClockMs,
    });
  }

  /** Applies changed routes. Cuts connections of mappings that lead elsewhere and of visitors who lost access. */
  update(device: DeviceRoutes): void {
    const targets = this.#targetsOf(device);
    if (JSON.stringify(targets) !== JSON.stringify(allowedTargets(this.#device).targets))
      this.#options.link.setTargets(targets);
    this.#device = device;
    this.#shaping.setRate(device.bandwidthBps);
    const routes = new Map(usableRoutes(device).map((route) => [route.mappingId, route]));
    for (const [mappingId, pool] of this.#pools) {
      const route = routes.get(mappingId);
      if (route !== undefined && isSameRoute(route, pool.route)) {
        pool.update({ route, owner: { device } });
        continue;
      }
      this.#pools.delete(mappingId);
      pool.close('revoked');
    }
  }

  /** Tries a mapping's target. Always answers. */
  probe(route: Route): Promise<ProbeResult> {
    return this.#options.link.probe(route);
  }

  /** Has the agent start anew with a newer version. Always answers. */
  upgrade(offer: UpgradeOffer): Promise<ProbeResult> {
    return this.#options.link.upgrade(offer);
  }

  /** Has the device wake a machine in its network. Always answers. */
  wake(mac: string): Promise<ProbeResult> {
    return this.#options.link.wake(mac);
  }

  /** Has the device scan its LAN. The last report is of type `end`. */
  discover(onReport: OnReport): void {
    this.#options.link.discover(onReport);
  }

  /** Has the device say what it finds out about its own connection. Always answers. */
  diagnose(): Promise<DiagnosisResult> {
    return this.#options.link.diagnose();
  }

  /** Cuts all connections, because no mapping is in use any more. */
  cutVisitors(): void {
    for (const pool of this.#pools.values()) pool.close('revoked');
    this.#pools.clear();
  }

  /** Sends a bye with the reason and ends the connection. Visitors are cut at once. */
  end(bye: Bye, reason: OfflineReason): void {
    if (this.#isEnded) return;
    this.#finish(reason);
    this.#options.link.bye(bye);
  }

  /** Sends due pings, and ends a connection that is silent since `wokeAtMs`. One timer calls it for all sessions. */
  beat(monotonicMs: number, wokeAtMs: number): void {
    if (this.#isEnded) return;
    const { link, limits } = this.#options;
    for (const pool of this.#pools.values()) pool.expireGrants();
    const silentMs = monotonicMs - Math.max(link.lastReceivedAtMs, wokeAtMs);
    if (link.channels === undefined ? silentMs >= limits.heartbeatLostMs : silentMs >= limits.sessionKeptMs) {
      this.#finish('no_heartbeat');
      link.close();
      return;
    }
    if (link.channels !== undefined) {
      this.#judgePresence(silentMs, link.channels.disconnectedAtMs);
      link.channels.closeUnneeded(monotonicMs, wokeAtMs);
    }
    if (monotonicMs - this.#pingedAtMs >= limits.heartbeatMs) {
      this.#pingedAtMs = monotonicMs;
      link.ping(monotonicMs);
      for (const pool of this.#pools.values()) pool.expireIdle();
    }
  }

  onConnectionClosed(): void {
    this.#finish('connection_lost');
  }

  #judgePresence(silentMs: number, disconnectedAtMs: number | undefined): void {
    const { monotonicMs, limits } = this.#options;
    const isLost = disconnectedAtMs !== undefined && monotonicMs() - disconnectedAtMs >= limits.rejoinWaitMs;
    if (silentMs >= limits.heartbeatLostMs) this.#leave('no_heartbeat');
    else if (isLost) this.#leave('connection_lost');
    // It may be the same connection that speaks again.
    else if (disconnectedAtMs === undefined) this.#return();
  }

  #onJoined(): void {
    const { publicIp } = this.#options.link.facts;
    if (this.#isOnline && publicIp !== this.#publicIp) this.#beOnline();
    else this.#return();
  }

  #leave(reason: OfflineReason): void {
    if (!this.#isOnline || this.#isEnded) return;
    this.#isOnline = false;
    this.#options.onAway(this, reason);
  }

  #return(): void {
    if (!this.#isOnline && !this.#isEnded) this.#beOnline();
  }

  #beOnline(): void {
    this.#epoch = this.#options.nextEpoch();
    this.#onlineSinceMs = this.#options.wallClockMs();
    this.#publicIp = this.#options.link.facts.publicIp;
    const wasAway = !this.#isOnline;
    this.#isOnline = true;
    this.#options.onOnline(this, { wasAway });
  }

  /** What is sent to the device now waits: an agent with a stream pings at least so often. */
  #isSilent(): boolean {
    const { link, limits, monotonicMs } = this.#options;
    if (link.channels === undefined) return false;
    return !this.isConnected || monotonicMs() - link.lastReceivedAtMs >= limits.heartbeatMs;
  }

  #targetsOf(device: DeviceRoutes): AllowedTarget[] {
    const { targets, leftOut } = allowedTargets(device);
    if (leftOut > 0) {
      const { deviceId } = device;
      this.#options.log.error({ deviceId, sent: targets.length, leftOut }, 'too many mappings to send to the agent');
    }
    return targets;
  }

  #openTarget(request: OpenRequest, events: TargetEvents): TargetStream {
    const { link, limits } = this.#options;
    if (link.streamCount >= limits.maxStreamsPerTunnel) for (const pool of this.#pools.values()) pool.dropIdle();
    if (link.streamCount >= limits.maxStreamsPerTunnel) throw new UpstreamBusyError('too many streams to this device');
    try {
      return link.openTarget(request, events);
    } catch (error) {
      if (error instanceof TooManyStreamsError)
        throw new UpstreamBusyError('too many streams to this device', { cause: error });
      throw error;
    }
  }

  #finish(reason: OfflineReason): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#options.link.settle();
    for (const pool of this.#pools.values()) pool.close('lost');
    this.#pools.clear();
    this.#options.onEnded(this, reason);
  }
}

function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
