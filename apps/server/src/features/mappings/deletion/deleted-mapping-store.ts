import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

/** The mappings that are being deleted. */
export type MappingsToDelete = { mappingId: number } | { deviceId: number };

export type DeletedMappingRow = {
  id: number;
  deviceId: number;
  /** The device's name, or its last name if it is deleted. */
  deviceName: string;
  isDeviceDeleted: boolean;
  kind: 'http' | 'https' | 'tcp' | 'udp';
  domain: string;
  port: number | null;
  deletedAt: Date;
};

// Its records have ended with the deletion at the latest, and are kept for 90 days.
const retention = sql`interval '90 days'`;

/**
 * Revokes the proofs of these mappings and stores the names with which their records are shown. The caller has locked the
 * mappings, so no further proofs are inserted. Locks the proofs in the order of their ids, as every statement that revokes
 * some. It is one statement, because there may be too many ids to pass on.
 */
export async function insertDeletedMappings(tx: Db, mappings: MappingsToDelete): Promise<void> {
  const which = 'mappingId' in mappings ? sql`mapping.id = ${mappings.mappingId}` : ofDevice(mappings.deviceId);
  // Repeated in place of joining `doomed`: PostgreSQL cannot estimate its size and would scan all verifications.
  const isOfMappings = sql`mapping_id in (select mapping.id from mapping where ${which})`;
  const isValidNow = sql`revoked_at is null and expires_at > clock_timestamp()`;
  await sql`
    with doomed as materialized (
      select mapping.id, device.user_id, device_id, device.name, mapping.kind, mapping.port,
        coalesce(mapping.custom_domain, mapping.prefix || '.' || server.suffix, server.suffix) as domain
      from mapping join device on device.id = mapping.device_id join server on server.id = mapping.server_id
      where ${which}
    ), locked as materialized (
      select id from verification where ${isOfMappings} and ${isValidNow} order by id for update
    ), ended as (
      update verification set revoked_at = now() from locked where verification.id = locked.id and ${isValidNow}
    )
    insert into deleted_mapping (id, owner_id, device_id, device_name, kind, domain, port)
    select id, user_id, device_id, name, kind, domain, port from doomed
    where exists (select from verification where verification.mapping_id = doomed.id)
      or exists (select from refused_visit where refused_visit.mapping_id = doomed.id)`.execute(tx);
}

/** Stores the device's last name in the rows of its deleted mappings. */
export async function storeLastDeviceName(tx: Db, deviceId: number): Promise<void> {
  await sql`
    update deleted_mapping set device_name = device.name from device
    where device.id = ${deviceId} and deleted_mapping.device_id = device.id and owner_id = device.user_id`.execute(tx);
}

/** Locks all mappings of a device or of an account, in the order of their ids. */
export async function lockAllMappingsForUpdate(
  tx: Db,
  owner: { deviceId: number } | { userId: number },
): Promise<void> {
  const which = 'deviceId' in owner ? ofDevice(owner.deviceId) : sql`device.user_id = ${owner.userId}`;
  await sql`
    select from mapping join device on device.id = mapping.device_id
    where ${which} order by mapping.id for update of mapping`.execute(tx);
}

function ofDevice(deviceId: number): RawBuilder<unknown> {
  return sql`mapping.device_id = ${deviceId}`;
}

/** The deleted mappings of an account that still have records, last deleted first. */
export async function listDeletedMappings(db: Db, ownerId: number, limit: number): Promise<DeletedMappingRow[]> {
  return await db
    .selectFrom('deletedMapping')
    .leftJoin('device', (join) =>
      join.onRef('device.id', '=', 'deletedMapping.deviceId').onRef('device.userId', '=', 'deletedMapping.ownerId'),
    )
    .where('deletedMapping.ownerId', '=', ownerId)
    // The row may exist for longer than the records.
    .where((eb) =>
      eb.or([
        eb.exists(eb.selectFrom('verification').whereRef('mappingId', '=', 'deletedMapping.id').select('id')),
        eb.exists(eb.selectFrom('refusedVisit').whereRef('mappingId', '=', 'deletedMapping.id').select('id')),
      ]),
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
    .select(sql<boolean>`device.id is null`.as('isDeviceDeleted'))
    .orderBy('deletedMapping.deletedAt', 'desc')
    .orderBy('deletedMapping.id', 'desc')
    .limit(limit)
    .execute();
}

/** Whether the user had this mapping and deleted it. */
export async function isDeletedMapping(db: Db, mapping: { mappingId: number; userId: number }): Promise<boolean> {
  const row = await db
    .selectFrom('deletedMapping')
    .where('id', '=', mapping.mappingId)
    .where('ownerId', '=', mapping.userId)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the user had this device, with mappings, and deleted it. */
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
    .where(sql<boolean>`deleted_at < now() - ${retention}`)
    .execute();
}
