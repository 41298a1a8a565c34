import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { relayIsAlive, effectivePresence, type StateFacts } from '../devices/index.ts';

type WatchedDevice = StateFacts & { id: number; userId: number; uid: string; name: string };

/** An offline device whose absence has not been reported. */
export type AbsentDevice = WatchedDevice & { watchedFrom: Date; offlineAfterMinutes: number };

/** A device whose absence was reported, and which is online again or disabled. */
export type ReturnedDevice = WatchedDevice & { alertsEnabled: boolean; absentSince: Date; notifiedAt: Date };

function selectWatched(db: Db) {
  return db
    .selectFrom('device')
    .leftJoinLateral(
      (eb) => effectivePresence(eb).as('presence'),
      (join) => join.onTrue(),
    )
    .select(['device.id', 'device.userId', 'device.uid', 'device.name', 'device.enabled'])
    .select(['presence.presenceOnline', 'presence.changedAt', 'presence.offlineReason'])
    .select(['presence.relayLastSeenAt', 'presence.relayAlive']);
}

/** One subquery for all devices is faster than the lateral join for each, because nearly all devices are online. */
const isOffline = sql<boolean>`device.id not in (
  select device_id from device_presence join relay on relay.id = relay_id where online and ${relayIsAlive()})`;

const isOnline = sql<boolean>`coalesce(presence.presence_online and presence.relay_alive, false)`;

/** The order is that of the names in a message. */
export async function listUnreportedAbsences(db: Db, deviceIds?: number[]): Promise<AbsentDevice[]> {
  return await selectWatched(db)
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .leftJoin('notifiedAbsence', 'notifiedAbsence.deviceId', 'device.id')
    .select(['device.watchedFrom', 'userAccount.offlineAfterMinutes'])
    .where('device.enabled', '=', true)
    .where('userAccount.disabledAt', 'is', null)
    .where('device.alertsEnabled', '=', true)
    .where('notifiedAbsence.deviceId', 'is', null)
    .where('presence.presenceOnline', 'is not', null) // was connected once
    .where(isOffline)
    .$if(deviceIds !== undefined, (query) => query.where(sql<boolean>`device.id = any(${deviceIds}::integer[])`))
    .orderBy('device.name')
    .orderBy('device.id')
    .execute();
}

/** The order is that of the names in a message. */
export async function listEndedAbsences(db: Db, deviceIds?: number[]): Promise<ReturnedDevice[]> {
  return await selectWatched(db)
    .innerJoin('notifiedAbsence', 'notifiedAbsence.deviceId', 'device.id')
    .select(['device.alertsEnabled', 'notifiedAbsence.since as absentSince', 'notifiedAbsence.notifiedAt'])
    .where((eb) => eb.or([eb('device.enabled', '=', false), eb(isOnline, '=', true)]))
    .$if(deviceIds !== undefined, (query) => query.where(sql<boolean>`device.id = any(${deviceIds}::integer[])`))
    .orderBy('device.name')
    .orderBy('device.id')
    .execute();
}

/** Returns the devices whose absence this call recorded: when several processes try, only one succeeds for a device. */
export async function recordAbsences(tx: Db, absences: { deviceId: number; since: Date }[]): Promise<Set<number>> {
  if (absences.length === 0) return new Set();
  const [ids, times] = [absences.map(({ deviceId }) => deviceId), absences.map(({ since }) => since)];
  const rows = await tx
    .insertInto('notifiedAbsence')
    .columns(['deviceId', 'since'])
    .expression(sql`select * from unnest(${ids}::integer[], ${times}::timestamptz[])`)
    .onConflict((conflict) => conflict.column('deviceId').doNothing())
    .returning('deviceId')
    .execute();
  return new Set(rows.map((row) => row.deviceId));
}

/** Returns the devices whose absence this call deleted: when several processes try, only one succeeds for a device. */
export async function deleteAbsences(tx: Db, deviceIds: number[]): Promise<Set<number>> {
  if (deviceIds.length === 0) return new Set();
  const rows = await tx
    .deleteFrom('notifiedAbsence')
    .where((eb) => eb('deviceId', '=', eb.fn.any(sql<number[]>`${deviceIds}::integer[]`)))
    .returning('deviceId')
    .execute();
  return new Set(rows.map((row) => row.deviceId));
}
