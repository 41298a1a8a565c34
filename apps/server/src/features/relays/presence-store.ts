import type { OfflineReason, PresenceEvent } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

type OnlineEvent = Extract<PresenceEvent, { online: true }>;
type OfflineEvent = Extract<PresenceEvent, { online: false }>;

// Each of these answers with the owners of the devices that are different now. Rows are written in the order of their
// ids, so that two relays with the same devices cannot block each other.

/** Events of an older connection (a lower epoch) and repetitions change nothing. */
export async function recordOnline(tx: Db, relayId: string, events: OnlineEvent[]): Promise<number[]> {
  if (events.length === 0) return [];
  const { rows } = await sql<{ userId: number }>`
    with event as (
      select * from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event
        ("deviceId" integer, epoch bigint, "atMs" float8, "publicIp" text, "agentVersion" text, platform text)
    ), written as (
      insert into device_presence as known
        (device_id, relay_id, epoch, online, changed_at, offline_reason, public_ip, agent_version, platform)
      select device.id, ${relayId}, epoch, true, least(now(), to_timestamp("atMs" / 1000)), null,
        "publicIp", "agentVersion", event.platform
      from event join device on device.id = "deviceId"
      order by device.id
      on conflict (device_id) do update set
        relay_id = excluded.relay_id, epoch = excluded.epoch, online = true, changed_at = excluded.changed_at,
        offline_reason = null, public_ip = excluded.public_ip, agent_version = excluded.agent_version,
        platform = excluded.platform
      where excluded.epoch > known.epoch or (excluded.epoch = known.epoch and not known.online)
      returning device_id
    )
    select distinct device.user_id from written join device on device.id = written.device_id`.execute(tx);
  return rows.map((row) => row.userId);
}

/** Only for the connection that is known: a newer one, here or at another relay, stays. */
export async function recordOffline(tx: Db, relayId: string, events: OfflineEvent[]): Promise<number[]> {
  if (events.length === 0) return [];
  const { rows } = await sql<{ userId: number }>`
    with event as (
      select * from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event
        ("deviceId" integer, epoch bigint, "atMs" float8, reason text)
    ), known as (
      select device_id from device_presence where device_id in (select "deviceId" from event)
      order by device_id for update
    )
    update device_presence set
      online = false, offline_reason = event.reason, epoch = event.epoch,
      changed_at = least(now(), to_timestamp(event."atMs" / 1000))
    from event join known on known.device_id = event."deviceId" join device on device.id = event."deviceId"
    where device_presence.device_id = event."deviceId" and device_presence.relay_id = ${relayId}
      and device_presence.epoch <= event.epoch
      -- What was only concluded from the relay's silence gives way to what it tells.
      and (device_presence.online or device_presence.offline_reason = 'relay_lost')
    returning device.user_id`.execute(tx);
  return rows.map((row) => row.userId);
}

/** Marks what stands as online at this relay, but for the devices that are there now. */
export async function recordAllOffline(
  tx: Db,
  relayId: string,
  { except, reason }: { except: number[]; reason: OfflineReason },
): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    with known as (
      select device_id from device_presence
      where relay_id = ${relayId} and online and device_id <> all(${except}::integer[])
      order by device_id for update
    )
    update device_presence set online = false, offline_reason = ${reason}, changed_at = now()
    from known join device on device.id = known.device_id
    where device_presence.device_id = known.device_id
    returning device.user_id`.execute(tx);
  return rows.map((row) => row.userId);
}
