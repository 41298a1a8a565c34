import type { PresenceEvent } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { changePresence } from '../../devices/index.ts';
import { plainText } from '../plain-text.ts';
import { listDevicesAtRelay, recordAllOffline, recordOffline, recordOnline } from './presence-store.ts';
import { getHomeServerId, saveRelay } from './relay-store.ts';

export type RelayHello = { relayId: string; bootId: string; online: PresenceEvent[] };

/** Records the complete list of devices of a relay that has connected or reconnected. */
export async function recordHello(db: Db, relay: RelayHello, homeSuffix: string): Promise<void> {
  const { relayId, bootId, online } = relay;
  await db.transaction().execute(async (tx) => {
    const known = await listDevicesAtRelay(tx, relayId);
    const deviceIds = [...known, ...online.map((event) => event.deviceId)];
    // The relay's row changes in the same step, because its devices counted as offline without its heartbeats.
    await changePresence(tx, deviceIds, async () => {
      await saveRelay(tx, { id: relayId, serverId: await getHomeServerId(tx, homeSuffix), bootId });
      const except = online.filter((event) => event.online).map((event) => event.deviceId);
      await recordAllOffline(tx, relayId, { except, reason: 'relay_lost' });
      await writeEvents(tx, relayId, online);
    });
  });
}

/** Records that devices came online or went offline. Events of older connections are ignored. */
export async function recordPresence(db: Db, relayId: string, events: PresenceEvent[]): Promise<void> {
  const deviceIds = events.map((event) => event.deviceId);
  await db.transaction().execute(async (tx) => {
    await changePresence(tx, deviceIds, () => writeEvents(tx, relayId, events));
  });
}

/** Records that a relay stops on purpose: its devices are offline at once, not after the heartbeat timeout. */
export async function recordRelayStop(db: Db, relayId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const deviceIds = await listDevicesAtRelay(tx, relayId);
    await changePresence(tx, deviceIds, () => recordAllOffline(tx, relayId, { except: [], reason: 'relay_stopped' }));
  });
}

async function writeEvents(tx: Db, relayId: string, events: PresenceEvent[]): Promise<void> {
  // One statement may write a row only once, so only the newest event of each kind and device is kept.
  const online = new Map<number, Extract<PresenceEvent, { online: true }>>();
  const offline = new Map<number, Extract<PresenceEvent, { online: false }>>();
  for (const event of events) {
    if (event.online) setNewest(online, event);
    else setNewest(offline, event);
  }
  const onlineEvents = [...online.values()].map((event) => ({
    ...event,
    atMs: Math.max(0, event.atMs),
    publicIp: plainText(event.publicIp, 64),
    agentVersion: plainText(event.agentVersion, 40),
    platform: plainText(event.platform, 80),
  }));
  const offlineEvents = [...offline.values()].map((event) => ({ ...event, atMs: Math.max(0, event.atMs) }));
  // Online events first: a device that came and went within one message needs a row for its offline event.
  await recordOnline(tx, relayId, onlineEvents);
  await recordOffline(tx, relayId, offlineEvents);
}

function setNewest<Event extends PresenceEvent>(newest: Map<number, Event>, event: Event): void {
  if ((newest.get(event.deviceId)?.epoch ?? 0) <= event.epoch) newest.set(event.deviceId, event);
}
