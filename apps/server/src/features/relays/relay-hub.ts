import type { WebSocket } from 'ws';
import type { AgentUpgradeOffer, ProbeResult, TrialResult, TrialVisit } from '@tongtu/contract';
import { z } from 'zod';
import type { OpenDb } from '../../db/driver.ts';
import { parseNotification } from '../../db/parse-notification.ts';
import type { ProbeTarget, TrialTarget } from '../devices/index.ts';
import type { DeviceChange } from '../live/index.ts';
import { EdgeFeed, type EdgeFeedDeps } from './edge/edge-feed.ts';
import type { DiagnosisOutcome } from './pending-diagnoses.ts';
import type { OnDiscoveryReport } from './pending-discoveries.ts';
import { LINK_REPLACED } from './relay-link.ts';
import { RelaySession, type RelaySessionDeps } from './relay-session.ts';
import { RelayWatch } from './presence/relay-watch.ts';
import { RouteFeed, type RouteFeedDeps } from './routes/route-feed.ts';

export type RelayHubDeps = RelaySessionDeps & RouteFeedDeps & EdgeFeedDeps & { listen: OpenDb['listen'] };

type UpgradeTarget = { relayIds: readonly string[]; deviceId: number; offer: AgentUpgradeOffer };
type WakeTarget = { relayIds: readonly string[]; deviceId: number; mac: string };

const DeviceChanged = z.object({ deviceId: z.number().int(), version: z.string().optional() });

// An agent gives its target 8 s; with the name look-up before it, a check stays below 10 s.
const PROBE_TIMEOUT_MS = 8_300;
/** A relay waits a little less for the agent, which gives its download 15 minutes. */
const UPGRADE_TIMEOUT_MS = 15 * 60_000 + 20_000;
/** A relay gives a visit five seconds, and its scripts a little more. */
const TRIAL_TIMEOUT_MS = 7_000;
// A relay waits 10 s for the agent.
const DIAGNOSIS_TIMEOUT_MS = 10_500;
const GOING_AWAY = 1001;

/** The relays that are connected to this server process. */
export class RelayHub implements AsyncDisposable {
  readonly #deps: RelayHubDeps;
  readonly #feed: RouteFeed;
  readonly #edge: EdgeFeed;
  readonly #sessions = new Set<RelaySession>();
  readonly #byRelayId = new Map<string, RelaySession>();
  readonly #parts = new AsyncDisposableStack();
  #isStopping = false;

  private constructor(deps: RelayHubDeps) {
    this.#deps = deps;
    this.#feed = this.#parts.use(new RouteFeed(deps));
    this.#edge = this.#parts.use(new EdgeFeed(deps));
  }

  /** Resolves when the hub receives notifications of all later changes. */
  static async start(deps: RelayHubDeps): Promise<RelayHub> {
    const hub = new RelayHub(deps);
    hub.#parts.use(
      await deps.listen(
        'device_changed',
        (payload) => hub.#handleDeviceChange(payload),
        () => hub.#feed.resendAll(),
      ),
    );
    const sendEdgeChanges = () => hub.#edge.sendChanges();
    hub.#parts.use(await deps.listen('edge_changed', sendEdgeChanges, sendEdgeChanges));
    hub.#parts.use(new RelayWatch(deps));
    return hub;
  }

  /** Starts a session on the WebSocket of an authenticated relay. */
  accept(socket: WebSocket): void {
    if (this.#isStopping) return socket.close(GOING_AWAY, 'server stops');
    const session = new RelaySession(
      this.#deps,
      {
        feed: this.#feed,
        edge: this.#edge,
        register: async (newer) => await this.#register(newer),
        unregister: (closed) => this.#unregister(closed),
      },
      socket,
    );
    this.#sessions.add(session);
  }

  /** Resolves when this change was sent to the relays of this process, after two seconds at most. */
  async whenSent(change: DeviceChange): Promise<void> {
    await this.#feed.whenSent(change);
  }

  /** Whether one of these relays is connected to this server process. */
  isConnectedTo(relayIds: readonly string[]): boolean {
    return relayIds.some((relayId) => this.#byRelayId.has(relayId));
  }

  /**
   * Has a device test its target. Always answers within seconds. Undefined if none of the device's relays is connected to
   * this server process.
   */
  async probe({ relayIds, deviceId, mappingId }: ProbeTarget): Promise<ProbeResult | undefined> {
    const session = this.#sessionOf(relayIds);
    if (session === undefined) return undefined;
    const startedAtMs = performance.now();
    // A mapping is often tested right after another process created it. The relay needs its route before the test, and the
    // notification may not have arrived yet.
    await this.#feed.whenSent({ deviceId });
    const leftMs = PROBE_TIMEOUT_MS - Math.round(performance.now() - startedAtMs);
    return await session.probes.request({ type: 'probe', deviceId, mappingId }, leftMs);
  }

  /** Has a device wake a machine in its network. Answers like `probe`. */
  async wake({ relayIds, ...machine }: WakeTarget): Promise<ProbeResult | undefined> {
    return await this.#sessionOf(relayIds)?.probes.request({ type: 'wake', ...machine }, PROBE_TIMEOUT_MS);
  }

  /** Has a relay visit a mapping as a visitor would. Answers like `probe`. */
  async tryVisit({ relayIds, deviceId }: TrialTarget, visit: TrialVisit): Promise<TrialResult | undefined> {
    return await this.#sessionOf(relayIds)?.trials.request(deviceId, visit, TRIAL_TIMEOUT_MS);
  }

  /** Has a device start anew with a newer agent. Answers like `probe`, after its download and before the restart. */
  async upgrade({ relayIds, ...upgrade }: UpgradeTarget): Promise<ProbeResult | undefined> {
    return await this.#sessionOf(relayIds)?.probes.request({ type: 'upgrade', ...upgrade }, UPGRADE_TIMEOUT_MS);
  }

  /**
   * Has a device scan its LAN; the last report is of type `end`. False if none of the device's relays is connected to this
   * server process.
   */
  discover(device: { id: number; relayIds: string[] }, onReport: OnDiscoveryReport): boolean {
    const session = device.relayIds.flatMap((relayId) => this.#byRelayId.get(relayId) ?? [])[0];
    session?.discoveries.start(device.id, onReport);
    return session !== undefined;
  }

  /** Has a device say what it finds out about its own connection. Answers like `probe`. */
  async diagnose(device: { id: number; relayIds: readonly string[] }): Promise<DiagnosisOutcome | undefined> {
    return await this.#sessionOf(device.relayIds)?.diagnoses.request(device.id, DIAGNOSIS_TIMEOUT_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    const sessions = [...this.#sessions];
    await Promise.all(
      sessions.map(async (session) => {
        await session.end(GOING_AWAY, 'server stops');
        await session.closed();
      }),
    );
    await this.#parts.disposeAsync();
  }

  #sessionOf(relayIds: readonly string[]): RelaySession | undefined {
    const connected = relayIds.find((relayId) => this.#byRelayId.has(relayId));
    return connected === undefined ? undefined : this.#byRelayId.get(connected);
  }

  #handleDeviceChange(payload: string): void {
    const change = parseNotification(DeviceChanged, payload);
    if (change) this.#feed.sendDevice(change);
  }

  async #register(newer: RelaySession): Promise<void> {
    const relayId = newer.relayId ?? '';
    const older = this.#byRelayId.get(relayId);
    this.#byRelayId.set(relayId, newer);
    if (older && older !== newer) await older.end(LINK_REPLACED, 'replaced');
  }

  #unregister(session: RelaySession): boolean {
    this.#sessions.delete(session);
    const { relayId } = session;
    const isCurrent = relayId !== undefined && this.#byRelayId.get(relayId) === session;
    if (isCurrent) this.#byRelayId.delete(relayId);
    return isCurrent;
  }
}
