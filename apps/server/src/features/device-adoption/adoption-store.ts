import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

type Move = { lostId: number; successorId: number };

/** The cards that the last scans of these devices saw, their own and those of other hosts. */
export async function listMacs(
  db: Db,
  deviceIds: readonly number[],
): Promise<{ deviceId: number; mac: string; isSelf: boolean }[]> {
  return await db
    .selectFrom('lanHost')
    .where((eb) => eb('deviceId', '=', eb.fn.any(sql<number[]>`${deviceIds}::integer[]`)))
    .where('mac', 'is not', null)
    .select(['deviceId', 'isSelf', 'mac'])
    .$narrowType<{ mac: string }>()
    .execute();
}

/** Locks devices against changes, new references and reports of their presence. Returns those of the user. */
export async function lockOwnDevicesForUpdate(tx: Db, userId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await tx
    .selectFrom('device')
    .where((eb) => eb('id', '=', eb.fn.any(sql<number[]>`${ids}::integer[]`)))
    .where('userId', '=', userId)
    .select('id')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

export type MovedCounts = {
  mappings: number;
  cloudApps: number;
  members: number;
  shareLinks: number;
  allowList: number;
};

export async function countWhatMoves(db: Db, deviceId: number): Promise<MovedCounts> {
  const { rows } = await sql<MovedCounts>`
    select
      (select count(*)::integer from mapping where device_id = device.id) as mappings,
      (select count(*)::integer from cloud_app where device_id = device.id) as cloud_apps,
      (select count(*)::integer from mapping_member where mapping_id in (
        select id from mapping where device_id = device.id)) +
      (select count(*)::integer from cloud_app_member where app_id in (
        select id from cloud_app where device_id = device.id)) as members,
      (select count(*)::integer from share_link where revoked_at is null and expires_at > now() and mapping_id in (
        select id from mapping where device_id = device.id)) as share_links,
      cardinality(allow_list) as allow_list
    from device where id = ${deviceId}`.execute(db);
  return rows[0] ?? { mappings: 0, cloudApps: 0, members: 0, shareLinks: 0, allowList: 0 };
}

export async function hasUdpMappings(tx: Db, deviceId: number): Promise<boolean> {
  const udp = tx.selectFrom('mapping').where('deviceId', '=', deviceId).where('kind', '=', 'udp');
  return (await udp.select('id').executeTakeFirst()) !== undefined;
}

/** The accounts that may open a cloud app of the device. */
export async function listAppMembersOfDevice(tx: Db, deviceId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('cloudAppMember')
    .innerJoin('cloudApp', 'cloudApp.id', 'cloudAppMember.appId')
    .where('cloudApp.deviceId', '=', deviceId)
    .where('acceptedAt', 'is not', null)
    .select('cloudAppMember.userId')
    .$narrowType<{ userId: number }>()
    .distinct()
    .execute();
  return rows.map(({ userId }) => userId);
}

/** What belongs to a mapping or a cloud app moves with it, such as members, links and counted traffic. */
export async function moveMappings(tx: Db, { lostId, successorId }: Move): Promise<void> {
  await sql`select from mapping where device_id = ${lostId} order by id for no key update`.execute(tx);
  await tx.updateTable('mapping').set({ deviceId: successorId }).where('deviceId', '=', lostId).execute();
  await tx.updateTable('cloudApp').set({ deviceId: successorId }).where('deviceId', '=', lostId).execute();
}

/** Records, and orders that are not paid yet. */
export async function moveRecords(tx: Db, { lostId, successorId }: Move): Promise<void> {
  const moved = { deviceId: successorId };
  await tx.updateTable('verification').set(moved).where('deviceId', '=', lostId).execute();
  await tx.updateTable('refusedVisit').set(moved).where('deviceId', '=', lostId).execute();
  await tx.updateTable('deletedMapping').set(moved).where('deviceId', '=', lostId).execute();
  await tx.updateTable('productOrder').set(moved).where('deviceId', '=', lostId).execute();
}

/**
 * Name and settings of the lost device count. What restricts stays: the lower bandwidth, and what either device has
 * switched off.
 */
export async function moveSettings(tx: Db, { lostId, successorId }: Move, maxAllowed: number): Promise<void> {
  await sql`
    update device set
      name = lost.name,
      group_name = lost.group_name,
      pinned = device.pinned or lost.pinned,
      enabled = device.enabled and lost.enabled,
      alerts_enabled = lost.alerts_enabled,
      discovery_enabled = device.discovery_enabled and lost.discovery_enabled,
      bandwidth_bps = least(device.bandwidth_bps, lost.bandwidth_bps),
      allow_list = (lost.allow_list || array(
        select entry from unnest(device.allow_list) with ordinality as own (entry, number)
        where entry <> all (lost.allow_list) order by number))[1:${sql.lit(maxAllowed)}]
    from device as lost where device.id = ${successorId} and lost.id = ${lostId}`.execute(tx);
}
