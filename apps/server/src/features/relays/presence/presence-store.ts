import type { OfflineReason, PresenceEvent } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import { relayIsAlive } from '../../devices/index.ts';

type OnlineEvent = Extract<PresenceEvent, { online: true }>;
type OfflineEvent = Extract<PresenceEvent, { online: false }>;

// These functions run in a transaction of `changePresence`, which has locked the devices.

/** Ignores repeated events, and events of an older connection to this relay (a lower epoch). */
export async function recordOnline(tx: Db, relayId: string, events: OnlineEvent[]): Promise<void> {
  if (events.length === 0) return;
  // A device that another relay already has keeps that relay's start time.
  await sql`
    with event as (
      select * from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event
        ("deviceId" integer, epoch bigint, "atMs" float8, "publicIp" text, "agentVersion" text, platform text)
    ), elsewhere as (
      select device_id, min(changed_at) as since from device_presence join relay on relay.id = relay_id
      where relay_id <> ${relayId} and online and ${relayIsAlive()} and device_id in (select "deviceId" from event)
      group by device_id
    )
    insert into device_presence as known
      (device_id, relay_id, epoch, online, changed_at, offline_reason, public_ip, agent_version, platform)
    select device.id, ${relayId}, epoch, true, least(now(), to_timestamp("atMs" / 1000), elsewhere.since), null,
      "publicIp", "agentVersion", event.platform
    from event join device on device.id = "deviceId" left join elsewhere on elsewhere.device_id = device.id
    on conflict (device_id, relay_id) do update set
      epoch = excluded.epoch, online = true, changed_at = excluded.changed_at, offline_reason = null,
      public_ip = excluded.public_ip, agent_version = excluded.agent_version, platform = excluded.platform
    where excluded.epoch > known.epoch or (excluded.epoch = known.epoch and not known.online)`.execute(tx);
}

/** Ignores events of an older connection than the stored one. */
export async function recordOffline(tx: Db, relayId: string, events: OfflineEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`
    with event as (
      select * from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event
        ("deviceId" integer, epoch bigint, "atMs" float8, reason text)
    )
    update device_presence set
      online = false, offline_reason = event.reason, epoch = event.epoch,
      changed_at = least(now(), to_timestamp(event."atMs" / 1000))
    from event
    where device_presence.device_id = event."deviceId" and device_presence.relay_id = ${relayId}
      and device_presence.epoch <= event.epoch
      -- 'relay_lost' is only an assumption, so the relay's own report replaces it.
      and (device_presence.online or device_presence.offline_reason = 'relay_lost')`.execute(tx);
}

/** The devices that are stored as online at this relay. */
export async function listDevicesAtRelay(db: Db, relayId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('devicePresence')
    .where('relayId', '=', relayId)
    .where('online', '=', true)
    .select('deviceId')
    .execute();
  return rows.map((row) => row.deviceId);
}

/** Marks all devices of this relay as offline, except these. */
export async function recordAllOffline(
  tx: Db,
  relayId: string,
  { except, reason }: { except: number[]; reason: OfflineReason },
): Promise<void> {
  await sql`
    update device_presence set online = false, offline_reason = ${reason}, changed_at = now()
    where relay_id = ${relayId} and online and device_id <> all(${except}::integer[])`.execute(tx);
}

/** Deletes presence at relays without a heartbeat for a day, of devices that have changed at another relay since. */
export async function deleteStalePresence(db: Db): Promise<void> {
  await sql`
    delete from device_presence as stale using relay
    where relay.id = stale.relay_id and relay.last_seen_at < now() - interval '1 day' and exists (
      select from device_presence later
      where later.device_id = stale.device_id and later.relay_id <> stale.relay_id
        and later.changed_at > relay.last_seen_at)`.execute(db);
}
