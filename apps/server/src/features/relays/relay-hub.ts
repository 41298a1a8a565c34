import type { WebSocket } from 'ws';
import type { ProbeResult } from '@tongtu/contract';
import { z } from 'zod';
import type { OpenDb } from '../../db/driver.ts';
import { parseNotification } from '../../db/parse-notification.ts';
import type { ProbeTarget } from '../devices/index.ts';
import type { DeviceChange } from '../live/index.ts';
import { EdgeFeed, type EdgeFeedDeps } from './edge-feed.ts';
import { LINK_REPLACED } from './relay-link.ts';
import { RelaySession, type RelaySessionDeps } from './relay-session.ts';
import { RelayWatch } from './relay-watch.ts';
import { RouteFeed, type RouteFeedDeps } from './route-feed.ts';

export type RelayHubDeps = RelaySessionDeps & RouteFeedDeps & EdgeFeedDeps & { listen: OpenDb['listen'] };

const DeviceChanged = z.object({ deviceId: z.number().int(), version: z.string().optional() });

// An agent gives its target 8 s; with the name look-up before it, a check stays below 10 s.
const PROBE_TIMEOUT_MS = 8_300;
const GOING_AWAY = 1001;

/** Every relay that is connected to this server process. */
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

  /** Resolves when every change from now on will reach the relays. */
  static async start(deps: RelayHubDeps): Promise<RelayHub> {
    const hub = new RelayHub(deps);
    hub.#parts.use(
      await deps.listen(
        'device_changed',
        (payload) => hub.#changed(payload),
        () => hub.#feed.everythingChanged(),
      ),
    );
    const edgeChanged = () => hub.#edge.changed();
    hub.#parts.use(await deps.listen('edge_changed', edgeChanged, edgeChanged));
    hub.#parts.use(new RelayWatch(deps));
    return hub;
  }

  /** Takes over the WebSocket of a relay that has proved who it is. */
  accept(socket: WebSocket): void {
    if (this.#isStopping) return socket.close(GOING_AWAY, 'server stops');
    const session = new RelaySession(
      this.#deps,
      {
        feed: this.#feed,
        edge: this.#edge,
        takePlace: async (newer) => await this.#takePlace(newer),
        leave: (leaving) => this.#leave(leaving),
      },
      socket,
    );
    this.#sessions.add(session);
  }

  /** Resolves when the relays of this process have been sent this change, and within about two seconds anyway. */
  async whenSent(change: DeviceChange): Promise<void> {
    await this.#feed.whenSent(change);
  }

  /**
   * Asks a device to try its target; always an answer within seconds.
   * Undefined when none of its relays is connected to this server process.
   */
  async probe({ relayIds, deviceId, mappingId }: ProbeTarget): Promise<ProbeResult | undefined> {
    const connected = relayIds.find((relayId) => this.#byRelayId.has(relayId));
    const session = connected === undefined ? undefined : this.#byRelayId.get(connected);
    if (session === undefined) return undefined;
    const askedAtMs = performance.now();
    // A mapping is often checked the moment it was made, perhaps by another process, whose notification is still under
    // way: the relay must know it before it is asked.
    await this.#feed.whenSent({ deviceId });
    const leftMs = PROBE_TIMEOUT_MS - Math.round(performance.now() - askedAtMs);
    return await session.probes.ask({ deviceId, mappingId }, leftMs);
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

  #changed(payload: string): void {
    const notice = parseNotification(DeviceChanged, payload);
    if (notice) this.#feed.deviceChanged(notice);
  }

  async #takePlace(newer: RelaySession): Promise<void> {
    const relayId = newer.relayId ?? '';
    const older = this.#byRelayId.get(relayId);
    this.#byRelayId.set(relayId, newer);
    if (older && older !== newer) await older.end(LINK_REPLACED, 'replaced');
  }

  #leave(session: RelaySession): boolean {
    this.#sessions.delete(session);
    const { relayId } = session;
    const isCurrent = relayId !== undefined && this.#byRelayId.get(relayId) === session;
    if (isCurrent) this.#byRelayId.delete(relayId);
    return isCurrent;
  }
}
