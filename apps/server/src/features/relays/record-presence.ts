import type { PresenceEvent } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { changePresence } from '../devices/index.ts';
import { plainText } from './plain-text.ts';
import { listDevicesAtRelay, recordAllOffline, recordOffline, recordOnline } from './presence-store.ts';
import { getHomeServerId, saveRelay } from './relay-store.ts';

export type GreetingRelay = { relayId: string; bootId: string; online: PresenceEvent[] };

/** A relay (re)connected: what it says is all there is of its devices now. */
export async function greetRelay(db: Db, relay: GreetingRelay, homeSuffix: string): Promise<void> {
  const { relayId, bootId, online } = relay;
  await db.transaction().execute(async (tx) => {
    const known = await listDevicesAtRelay(tx, relayId);
    const deviceIds = [...known, ...online.map((event) => event.deviceId)];
    // With the relay's own row, because devices that stayed were offline while it was not heard of.
    await changePresence(tx, deviceIds, async () => {
      await saveRelay(tx, { id: relayId, serverId: await getHomeServerId(tx, homeSuffix), bootId });
      const except = online.filter((event) => event.online).map((event) => event.deviceId);
      await recordAllOffline(tx, relayId, { except, reason: 'relay_lost' });
      await writeEvents(tx, relayId, online);
    });
  });
}

/** Devices came or went. Events of older connections are ignored. */
export async function recordPresence(db: Db, relayId: string, events: PresenceEvent[]): Promise<void> {
  const deviceIds = events.map((event) => event.deviceId);
  await db.transaction().execute(async (tx) => {
    await changePresence(tx, deviceIds, () => writeEvents(tx, relayId, events));
  });
}

/** The relay stops on purpose, so its devices need not wait for the time limit to be seen as offline. */
export async function recordRelayStop(db: Db, relayId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const deviceIds = await listDevicesAtRelay(tx, relayId);
    await changePresence(tx, deviceIds, () => recordAllOffline(tx, relayId, { except: [], reason: 'relay_stopped' }));
  });
}

async function writeEvents(tx: Db, relayId: string, events: PresenceEvent[]): Promise<void> {
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
  await recordOnline(tx, relayId, cleaned);
  await recordOffline(tx, relayId, gone);
}

function keepNewest<Event extends PresenceEvent>(newest: Map<number, Event>, event: Event): void {
  if ((newest.get(event.deviceId)?.epoch ?? 0) <= event.epoch) newest.set(event.deviceId, event);
}
