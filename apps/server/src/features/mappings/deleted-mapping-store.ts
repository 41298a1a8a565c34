import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Which mappings are about to be deleted. */
export type Leaving = { mappingId: number } | { deviceId: number };

export type DeletedMappingRow = {
  id: number;
  deviceId: number;
  /** What the device is called, or was when it was deleted. */
  deviceName: string;
  isDeviceGone: boolean;
  kind: 'http' | 'https' | 'tcp' | 'udp';
  domain: string;
  port: number | null;
  deletedAt: Date;
};

// As long as there may be a record of it: all have ended when it was deleted.
const kept = sql`interval '90 days'`;

/**
 * Ends whatever these mappings have let in and keeps what its records are shown with. The mappings must be locked: who is
 * just being let in has been by then, or finds no mapping. The proofs are locked in the order of their ids, as by everybody
 * who ends some; no list of them leaves the database, for there may be any number.
 */
export async function insertDeletedMappings(tx: Db, leaving: Leaving): Promise<void> {
  const which = 'mappingId' in leaving ? sql`mapping.id = ${leaving.mappingId}` : ofDevice(leaving.deviceId);
  // Said again instead of taken from the list below, whose length nobody can guess: it would read all records there are.
  const isOfThese = sql`mapping_id in (select mapping.id from mapping where ${which})`;
  const counts = sql`revoked_at is null and expires_at > clock_timestamp()`;
  await sql`
    with leaving as materialized (
      select mapping.id, device.user_id, device_id, device.name, mapping.kind, mapping.port,
        coalesce(mapping.custom_domain, mapping.prefix || '.' || server.suffix, server.suffix) as domain
      from mapping join device on device.id = mapping.device_id join server on server.id = mapping.server_id
      where ${which}
    ), locked as materialized (
      select id from verification where ${isOfThese} and ${counts} order by id for update
    ), ended as (
      update verification set revoked_at = now() from locked where verification.id = locked.id and ${counts}
    )
    insert into deleted_mapping (id, owner_id, device_id, device_name, kind, domain, port)
    select id, user_id, device_id, name, kind, domain, port from leaving
    where exists (select from verification where verification.mapping_id = leaving.id)`.execute(tx);
}

/** Has the mappings that the device had before bear the name that it has in the end. */
export async function nameGoneDevice(tx: Db, deviceId: number): Promise<void> {
  await sql`
    update deleted_mapping set device_name = device.name from device
    where device.id = ${deviceId} and deleted_mapping.device_id = device.id and owner_id = device.user_id`.execute(tx);
}

/** All mappings of a device, or of all devices of an account, in the order of their ids. */
export async function lockMappingsOf(tx: Db, whose: { deviceId: number } | { userId: number }): Promise<void> {
  const which = 'deviceId' in whose ? ofDevice(whose.deviceId) : sql`device.user_id = ${whose.userId}`;
  await sql`
    select from mapping join device on device.id = mapping.device_id
    where ${which} order by mapping.id for update of mapping`.execute(tx);
}

function ofDevice(deviceId: number): RawBuilder<unknown> {
  return sql`mapping.device_id = ${deviceId}`;
}

/** Those of an account that there are records of, the last deleted first. */
export async function listDeletedMappings(db: Db, ownerId: number, limit: number): Promise<DeletedMappingRow[]> {
  return await db
    .selectFrom('deletedMapping')
    .leftJoin('device', (join) =>
      join.onRef('device.id', '=', 'deletedMapping.deviceId').onRef('device.userId', '=', 'deletedMapping.ownerId'),
    )
    .where('deletedMapping.ownerId', '=', ownerId)
    // It may be kept longer than they are.
    .where((eb) =>
      eb.exists(eb.selectFrom('verification').whereRef('mappingId', '=', 'deletedMapping.id').select('id')),
    )
    .select([
      'deletedMapping.id',
      'deletedMapping.deviceId',
      'deletedMapping.kind',
      'deletedMapping.domain',
      'deletedMapping.port',
    ])
    .select('deletedMapping.deletedAt')
    .select(sql<string>`coalesce(device.name, device_name)`.as('deviceName'))
    .select(sql<boolean>`device.id is null`.as('isDeviceGone'))
    .orderBy('deletedMapping.deletedAt', 'desc')
    .orderBy('deletedMapping.id', 'desc')
    .limit(limit)
    .execute();
}

/** Whether there are records of a mapping that the user had and deleted. */
export async function isDeletedMapping(db: Db, mapping: { mappingId: number; userId: number }): Promise<boolean> {
  const row = await db
    .selectFrom('deletedMapping')
    .where('id', '=', mapping.mappingId)
    .where('ownerId', '=', mapping.userId)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether there are records of a device that the user had and deleted. */
export async function isDeletedDevice(db: Db, { id, userId }: { id: number; userId: number }): Promise<boolean> {
  const row = await db
    .selectFrom('deletedMapping')
    .where('deletedMapping.ownerId', '=', userId)
    .where('deletedMapping.deviceId', '=', id)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('device').where('device.id', '=', id).select('device.id'))))
    .select('deletedMapping.id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOldMappingRecords(db: Db): Promise<void> {
  await db
    .deleteFrom('deletedMapping')
    .where(sql<boolean>`deleted_at < now() - ${kept}`)
    .execute();
}
