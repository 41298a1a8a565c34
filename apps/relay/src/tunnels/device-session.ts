import type { DeviceRoutes, OfflineReason, PresenceEvent, ProbeResult, Route } from '@tongtu/contract';
import {
  type AgentMessage,
  type AllowedTarget,
  type Mux,
  type MuxStream,
  type MuxStreamEvents,
  ProtocolError,
  TooManyStreamsError,
  type TunnelAddress,
  type UpgradeOffer,
} from '@tongtu/tunnel';
import type { Logger } from 'pino';
import type { RelayLimits } from '../config/relay-limits.ts';
import type { RouteEntry } from '../routes/route-entry.ts';
import { DeviceShaping } from '../shaping/device-shaping.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import { UpstreamBusyError, type UpstreamPool } from '../upstream/upstream-stream.ts';
import { allowedTargets, usableRoutes } from './allowed-targets.ts';
import type { ControlChannel } from './control-channel.ts';
import { Discoveries, type OnReport } from './discoveries.ts';
import { isSameRoute, MappingPool } from '../upstream/mapping-pool.ts';
import { Probes } from './probes.ts';
import { VisitorShares } from '../upstream/visitor-shares.ts';

/** Time for the last message to be sent. */
const BYE_TIMEOUT_MS = 2_000;

type AgentFacts = { publicIp: string; agentVersion: string; platform: string };
export type Bye = { code: string; retryAfterMs: number | null };

export type DeviceSessionOptions = {
  device: DeviceRoutes;
  epoch: number;
  connectedAtMs: number;
  mux: Mux;
  control: ControlChannel;
  facts: AgentFacts;
  /** The agent's features; see AGENT_FEATURES. */
  features: ReadonlySet<string>;
  /** The addresses where the agent may connect; undefined: here only. */
  tunnels: TunnelAddress[] | undefined;
  limits: RelayLimits;
  usage: UsageLedger;
  monotonicMs: () => number;
  wallClockMs: () => number;
  log: Logger;
  onEnded: (session: DeviceSession, reason: OfflineReason) => void;
};

/** A device after its login, until its connection ends. */
export class DeviceSession {
  readonly #options: DeviceSessionOptions;
  readonly #pools = new Map<number, MappingPool>();
  readonly #probes: Probes;
  readonly #discoveries: Discoveries;
  readonly #shares: VisitorShares;
  readonly #shaping: DeviceShaping;
  #device: DeviceRoutes;
  #pingedAtMs: number;
  #isEnded = false;

  constructor(options: DeviceSessionOptions) {
    this.#options = options;
    this.#device = options.device;
    this.#pingedAtMs = options.monotonicMs();
    this.#shares = new VisitorShares(options.limits.maxStreamsPerVisitor);
    this.#shaping = new DeviceShaping({ monotonicMs: options.monotonicMs, after }, (error) =>
      options.mux.close(new Error('a stream failed', { cause: error })),
    );
    this.#shaping.setRate(options.device.bandwidthBps);
    this.#probes = new Probes(options.control, options.features, options.limits.probeTimeoutMs);
    this.#discoveries = new Discoveries(options.control, options.features);
    options.control.events = {
      onMessage: (message) => this.#onMessage(message),
      onEnd: () => this.options.mux.close(),
    };
    options.control.send({
      type: 'welcome',
      uid: options.device.uid,
      epoch: options.epoch,
      heartbeatMs: options.limits.heartbeatMs,
      targets: this.#targetsOf(options.device),
      tunnels: options.tunnels,
    });
  }

  get options(): DeviceSessionOptions {
    return this.#options;
  }

  get deviceId(): number {
    return this.#device.deviceId;
  }

  get onlineEvent(): PresenceEvent {
    const { epoch, connectedAtMs, facts } = this.#options;
    return { online: true, deviceId: this.deviceId, epoch, atMs: connectedAtMs, ...facts };
  }

  poolFor(entry: RouteEntry): UpstreamPool {
    const { mappingId } = entry.route;
    const known = this.#pools.get(mappingId);
    if (known !== undefined) return known;
    const { features, limits, usage, monotonicMs, wallClockMs } = this.#options;
    const pool = new MappingPool(entry, usage.createMeter(mappingId), {
      features,
      openStream: (events) => this.#openStream(events),
      shares: this.#shares,
      shaping: this.#shaping,
      limits: { maxIdle: limits.poolMaxIdle, maxIdleMs: limits.poolIdleMs },
      monotonicMs,
      wallClockMs,
    });
    this.#pools.set(mappingId, pool);
    return pool;
  }

  /** Applies changed routes. Cuts connections of mappings that lead elsewhere and of visitors who lost access. */
  update(device: DeviceRoutes): void {
    const targets = this.#targetsOf(device);
    if (JSON.stringify(targets) !== JSON.stringify(allowedTargets(this.#device).targets))
      this.#options.control.send({ type: 'targets', targets });
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

  /** Asks the agent to try a mapping's target. Always answers. */
  probe(route: Route): Promise<ProbeResult> {
    return this.#probes.ask(route);
  }

  /** Has the agent start anew with a newer version. Always answers. */
  upgrade(offer: UpgradeOffer): Promise<ProbeResult> {
    return this.#probes.upgrade(offer);
  }

  /** Has the agent wake a machine in its network. Always answers. */
  wake(mac: string): Promise<ProbeResult> {
    return this.#probes.wake(mac);
  }

  /** Asks the agent to scan its LAN. The last report is of type `end`. */
  discover(onReport: OnReport): void {
    this.#discoveries.start(onReport);
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
    const { mux, control } = this.#options;
    control.send({ type: 'bye', ...bye });
    mux.closeWhenSent();
    setTimeout(() => mux.close(), BYE_TIMEOUT_MS).unref();
  }

  /** Sends due pings, and ends a silent connection. One timer calls it for all sessions. */
  beat(monotonicMs: number): void {
    if (this.#isEnded) return;
    const { mux, limits } = this.#options;
    for (const pool of this.#pools.values()) pool.expireGrants();
    if (monotonicMs - mux.lastReceivedAtMs >= limits.heartbeatLostMs) {
      this.#finish('no_heartbeat');
      mux.close();
    } else if (monotonicMs - this.#pingedAtMs >= limits.heartbeatMs) {
      this.#pingedAtMs = monotonicMs;
      // An agent that pings by itself is heard: two pings for each heartbeat would be twice the traffic of idle devices.
      // Rejects when the mux closes, which onMuxClosed handles.
      if (monotonicMs - mux.lastReceivedAtMs >= limits.heartbeatMs) mux.ping().catch(() => {});
      for (const pool of this.#pools.values()) pool.expireIdle();
    }
  }

  onMuxClosed(): void {
    this.#finish('connection_lost');
  }

  #targetsOf(device: DeviceRoutes): AllowedTarget[] {
    const { targets, leftOut } = allowedTargets(device);
    if (leftOut > 0) {
      const { deviceId } = device;
      this.#options.log.error({ deviceId, sent: targets.length, leftOut }, 'too many mappings to send to the agent');
    }
    return targets;
  }

  #onMessage(message: AgentMessage): void {
    if (message.type === 'probe_result') {
      this.#probes.onResult(message);
    } else if (message.type === 'discovery') {
      this.#discoveries.onReport(message);
    } else if (message.type === 'bye') {
      this.#finish('agent_stopped');
      this.#options.mux.close();
    } else {
      throw new ProtocolError(`${message.type} after the login`);
    }
  }

  #openStream(events: MuxStreamEvents): MuxStream {
    const { mux, limits } = this.#options;
    if (mux.streamCount >= limits.maxStreamsPerTunnel) for (const pool of this.#pools.values()) pool.dropIdle();
    if (mux.streamCount >= limits.maxStreamsPerTunnel) throw new UpstreamBusyError('too many streams to this device');
    try {
      return mux.openStream(events);
    } catch (error) {
      if (error instanceof TooManyStreamsError)
        throw new UpstreamBusyError('too many streams to this device', { cause: error });
      throw error;
    }
  }

  #finish(reason: OfflineReason): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#probes.close();
    this.#discoveries.close();
    for (const pool of this.#pools.values()) pool.close('lost');
    this.#pools.clear();
    this.#options.onEnded(this, reason);
  }
}

function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
