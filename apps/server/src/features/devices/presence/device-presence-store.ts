import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import type { Database } from '../../../db/schema.ts';

/** A relay's reports about its devices are valid for this long after its last heartbeat. */
const RELAY_TIMEOUT_SECONDS = 15;

/** Whether the joined `relay` is alive, by the database's clock, which all processes share. */
export function relayIsAlive(): RawBuilder<boolean> {
  return sql<boolean>`coalesce(relay.last_seen_at > now() - make_interval(secs => ${RELAY_TIMEOUT_SECONDS}), false)`;
}

/** The presence of a device. Its owner's console changes when `shown` does. */
export type ShownPresence = {
  userId: number;
  shown: {
    isOnline: boolean;
    offlineReason: string | null;
    publicIp: string | null;
    agentVersion: string | null;
    platform: string | null;
  };
  /** When it came online, or left its last relay. */
  changedAt: Date | null;
  /** The last sign of a relay that reported the device as online and has been silent since. */
  lostAt: Date | null;
};

/**
 * The row of `device_presence` that decides a device's state: that of the live relay to which it connected last, else of the
 * relay that it left last. To be joined laterally to `device`.
 */
export function effectivePresence(eb: ExpressionBuilder<Database, 'device'>) {
  const isConnected = sql<boolean>`(device_presence.online and ${relayIsAlive()})`;
  const leftAt = sql`case when device_presence.online then relay.last_seen_at else device_presence.changed_at end`;
  return eb
    .selectFrom('devicePresence')
    .innerJoin('relay', 'relay.id', 'devicePresence.relayId')
    .whereRef('devicePresence.deviceId', '=', 'device.id')
    .select(['devicePresence.online as presenceOnline', 'devicePresence.changedAt', 'devicePresence.offlineReason'])
    .select(['devicePresence.publicIp', 'devicePresence.agentVersion', 'devicePresence.platform'])
    .select(['relay.lastSeenAt as relayLastSeenAt', relayIsAlive().as('relayAlive')])
    .orderBy(isConnected, 'desc')
    .orderBy(sql`case when ${isConnected} then to_timestamp(device_presence.epoch / 1000.0) else ${leftAt} end`, 'desc')
    .limit(1);
}

/** The relays to which the `device` is connected, the latest connection first. */
export function connectedRelays(): RawBuilder<string[]> {
  return sql<string[]>`array(
    select relay.id from device_presence join relay on relay.id = relay_id
    where device_id = device.id and online and ${relayIsAlive()} order by epoch desc)`;
}

/** The line to a connected relay that loses most; null: none is known to lose packets. */
export function worstLine(): RawBuilder<{ percent: number; rttMs: number } | null> {
  return sql<{ percent: number; rttMs: number } | null>`(
    select json_build_object('percent', loss_percent, 'rttMs', rtt_ms)
    from device_presence join relay on relay.id = relay_id
    where device_id = device.id and online and loss_percent is not null and ${relayIsAlive()}
    order by loss_percent desc limit 1)`;
}

/** How many relays of the region of the `device` are running. */
export function countRunningRelays(): RawBuilder<number> {
  return sql<number>`(
    select count(*)::integer from relay where relay.server_id = device.server_id and ${relayIsAlive()})`;
}

/** Locks the presence of these devices until the transaction ends, in the order of their ids, which prevents deadlocks. */
export async function lockDevicesForNoKeyUpdate(tx: Db, deviceIds: number[]): Promise<void> {
  await sql`
    select from device where id = any(${deviceIds}::integer[]) order by id for no key update`.execute(tx);
}

export async function readShownPresence(tx: Db, deviceIds: number[]): Promise<Map<number, ShownPresence>> {
  const rows = await tx
    .selectFrom('device')
    .leftJoinLateral(
      (eb) => effectivePresence(eb).as('presence'),
      (join) => join.onTrue(),
    )
    .where(sql<boolean>`device.id = any(${deviceIds}::integer[])`)
    .select(['device.id', 'device.userId', 'presence.offlineReason', 'presence.publicIp'])
    .select(['presence.agentVersion', 'presence.platform', 'presence.changedAt'])
    .select(sql<boolean>`coalesce(presence.presence_online and presence.relay_alive, false)`.as('isOnline'))
    .select(
      sql<Date | null>`case when presence.presence_online and not presence.relay_alive
        then presence.relay_last_seen_at end`.as('lostAt'),
    )
    .execute();
  return new Map(rows.map(({ id, userId, changedAt, lostAt, ...shown }) => [id, { userId, shown, changedAt, lostAt }]));
}
