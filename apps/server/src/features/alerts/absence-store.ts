import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { relayIsAlive, speakingPresence, type StateFacts } from '../devices/index.ts';

type WatchedDevice = StateFacts & { id: number; userId: number; uid: string; name: string };

/** A device that is away without its owner having been told. */
export type UntoldDevice = WatchedDevice & { watchedFrom: Date; offlineAfterMinutes: number };

/** A device whose absence was told, and which is here again or is not wanted any more. */
export type ReturnedDevice = WatchedDevice & { alertsEnabled: boolean; absentSince: Date; notifiedAt: Date };

function selectWatched(db: Db) {
  return db
    .selectFrom('device')
    .leftJoinLateral(
      (eb) => speakingPresence(eb).as('presence'),
      (join) => join.onTrue(),
    )
    .select(['device.id', 'device.userId', 'device.uid', 'device.name', 'device.enabled'])
    .select(['presence.presenceOnline', 'presence.changedAt', 'presence.offlineReason'])
    .select(['presence.relayLastSeenAt', 'presence.relayAlive']);
}

/** The opposite of being online, found at once for all: nearly all devices are online nearly always. */
const isNowhere = sql<boolean>`device.id not in (
  select device_id from device_presence join relay on relay.id = relay_id where online and ${relayIsAlive()})`;

const isOnline = sql<boolean>`coalesce(presence.presence_online and presence.relay_alive, false)`;

/** In the order they are told in. */
export async function listUntold(db: Db, deviceIds?: number[]): Promise<UntoldDevice[]> {
  return await selectWatched(db)
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .leftJoin('notifiedAbsence', 'notifiedAbsence.deviceId', 'device.id')
    .select(['device.watchedFrom', 'userAccount.offlineAfterMinutes'])
    .where('device.enabled', '=', true)
    .where('userAccount.disabledAt', 'is', null)
    .where('device.alertsEnabled', '=', true)
    .where('notifiedAbsence.deviceId', 'is', null)
    .where('presence.presenceOnline', 'is not', null) // was connected once
    .where(isNowhere)
    .$if(deviceIds !== undefined, (query) => query.where(sql<boolean>`device.id = any(${deviceIds}::integer[])`))
    .orderBy('device.name')
    .orderBy('device.id')
    .execute();
}

/** In the order they are told in. */
export async function listReturned(db: Db, deviceIds?: number[]): Promise<ReturnedDevice[]> {
  return await selectWatched(db)
    .innerJoin('notifiedAbsence', 'notifiedAbsence.deviceId', 'device.id')
    .select(['device.alertsEnabled', 'notifiedAbsence.since as absentSince', 'notifiedAbsence.notifiedAt'])
    .where((eb) => eb.or([eb('device.enabled', '=', false), eb(isOnline, '=', true)]))
    .$if(deviceIds !== undefined, (query) => query.where(sql<boolean>`device.id = any(${deviceIds}::integer[])`))
    .orderBy('device.name')
    .orderBy('device.id')
    .execute();
}

/** The devices of these that were not on record as told: of several processes each is given to one. */
export async function recordTold(tx: Db, absences: { deviceId: number; since: Date }[]): Promise<Set<number>> {
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

/** Ends what is on record of these devices' absences. Returns those that had something: each to one process. */
export async function endTold(tx: Db, deviceIds: number[]): Promise<Set<number>> {
  if (deviceIds.length === 0) return new Set();
  const rows = await tx
    .deleteFrom('notifiedAbsence')
    .where((eb) => eb('deviceId', '=', eb.fn.any(sql<number[]>`${deviceIds}::integer[]`)))
    .returning('deviceId')
    .execute();
  return new Set(rows.map((row) => row.deviceId));
}
