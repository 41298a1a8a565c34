import type { PresenceEvent } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceDeviceList } from '../live/index.ts';
import { plainText } from './plain-text.ts';
import { recordAllOffline, recordOffline, recordOnline } from './presence-store.ts';
import { getHomeServerId, listOwnersAtRelays, saveRelay } from './relay-store.ts';

export type GreetingRelay = { relayId: string; bootId: string; online: PresenceEvent[] };

/** A relay (re)connected: what it says is all there is of its devices now. */
export async function greetRelay(db: Db, relay: GreetingRelay, homeSuffix: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const serverId = await getHomeServerId(tx, homeSuffix);
    await saveRelay(tx, { id: relay.relayId, serverId, bootId: relay.bootId });
    const except = relay.online.filter((event) => event.online).map((event) => event.deviceId);
    const lost = await recordAllOffline(tx, relay.relayId, { except, reason: 'relay_lost' });
    const changed = await writeEvents(tx, relay.relayId, relay.online);
    // Devices that stayed may have been shown as offline while their relay was not heard of.
    const stayed = await listOwnersAtRelays(tx, [relay.relayId]);
    await announceDeviceList(tx, [...lost, ...changed, ...stayed]);
  });
}

/** Devices came or went. Events of older connections are ignored. */
export async function recordPresence(db: Db, relayId: string, events: PresenceEvent[]): Promise<void> {
  await db.transaction().execute(async (tx) => await announceDeviceList(tx, await writeEvents(tx, relayId, events)));
}

/** The relay stops on purpose, so its devices need not wait for the time limit to be seen as offline. */
export async function recordRelayStop(db: Db, relayId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const owners = await recordAllOffline(tx, relayId, { except: [], reason: 'relay_stopped' });
    await announceDeviceList(tx, owners);
  });
}

async function writeEvents(tx: Db, relayId: string, events: PresenceEvent[]): Promise<number[]> {
  // One statement may write a row once only, so of each device just the newest event of each kind remains.
  const online = new Map<number, Extract<PresenceEvent, { online: true }>>();
  const offline = new Map<number, Extract<PresenceEvent, { online: false }>>();
  for (const event of events) {
    if (event.online) keepNewest(online, event);
    else keepNewest(offline, event);
  }
  const cleaned = [...online.values()].map((event) => ({
    ...event,
    atMs: Math.max(0, event.atMs),
    publicIp: plainText(event.publicIp, 64),
    agentVersion: plainText(event.agentVersion, 40),
    platform: plainText(event.platform, 80),
  }));
  const gone = [...offline.values()].map((event) => ({ ...event, atMs: Math.max(0, event.atMs) }));
  // Arrivals first: a device that came and went within one message must be known to have been here.
  const arrived = await recordOnline(tx, relayId, cleaned);
  return [...arrived, ...(await recordOffline(tx, relayId, gone))];
}

function keepNewest<Event extends PresenceEvent>(newest: Map<number, Event>, event: Event): void {
  if ((newest.get(event.deviceId)?.epoch ?? 0) <= event.epoch) newest.set(event.deviceId, event);
}
