import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { Database } from '../../db/schema.ts';

/** What a relay said of its devices holds for this long after its last sign of life. */
const RELAY_TRUST_SECONDS = 15;

/** True while the joined `relay` may be believed. By the database's clock, which all processes share. */
export function relayIsAlive(): RawBuilder<boolean> {
  return sql<boolean>`coalesce(relay.last_seen_at > now() - make_interval(secs => ${RELAY_TRUST_SECONDS}), false)`;
}

/** What is shown of a device's connections as a whole. */
type ShownPresence = {
  userId: number;
  isOnline: boolean;
  offlineReason: string | null;
  publicIp: string | null;
  agentVersion: string | null;
  platform: string | null;
};

/**
 * The one row of `device_presence` that speaks for a device: of the relays that have it and can be believed the one it
 * came to last, else the relay that it left last. To be joined laterally to `device`.
 */
export function speakingPresence(eb: ExpressionBuilder<Database, 'device'>) {
  const isPresent = sql<boolean>`(device_presence.online and ${relayIsAlive()})`;
  const goneAt = sql`case when device_presence.online then relay.last_seen_at else device_presence.changed_at end`;
  return eb
    .selectFrom('devicePresence')
    .innerJoin('relay', 'relay.id', 'devicePresence.relayId')
    .whereRef('devicePresence.deviceId', '=', 'device.id')
    .select(['devicePresence.online as presenceOnline', 'devicePresence.changedAt', 'devicePresence.offlineReason'])
    .select(['devicePresence.publicIp', 'devicePresence.agentVersion', 'devicePresence.platform'])
    .select(['relay.lastSeenAt as relayLastSeenAt', relayIsAlive().as('relayAlive')])
    .orderBy(isPresent, 'desc')
    .orderBy(sql`case when ${isPresent} then to_timestamp(device_presence.epoch / 1000.0) else ${goneAt} end`, 'desc')
    .limit(1);
}

/** The relays that have the `device` now, the one it came to last first. */
export function presentRelays(): RawBuilder<string[]> {
  return sql<string[]>`array(
    select relay.id from device_presence join relay on relay.id = relay_id
    where device_id = device.id and online and ${relayIsAlive()} order by epoch desc)`;
}

/** How many relays visitors of the `device` may come to. */
export function countLivingRelays(): RawBuilder<number> {
  return sql<number>`(
    select count(*)::integer from relay where relay.server_id = device.server_id and ${relayIsAlive()})`;
}

/** Keeps others from changing where these devices are until the transaction ends; in one order, so that none waits in a ring. */
export async function lockDevicesForNoKeyUpdate(tx: Db, deviceIds: number[]): Promise<void> {
  await sql`
    select from device where id = any(${deviceIds}::integer[]) order by id for no key update`.execute(tx);
}

export async function readShownPresence(tx: Db, deviceIds: number[]): Promise<Map<number, ShownPresence>> {
  const rows = await tx
    .selectFrom('device')
    .leftJoinLateral(
      (eb) => speakingPresence(eb).as('presence'),
      (join) => join.onTrue(),
    )
    .where(sql<boolean>`device.id = any(${deviceIds}::integer[])`)
    .select(['device.id', 'device.userId', 'presence.offlineReason', 'presence.publicIp'])
    .select(['presence.agentVersion', 'presence.platform'])
    .select(sql<boolean>`coalesce(presence.presence_online and presence.relay_alive, false)`.as('isOnline'))
    .execute();
  return new Map(rows.map(({ id, ...shown }) => [id, shown]));
}
