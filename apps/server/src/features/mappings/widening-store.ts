import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Of a query on `mapping`: its owner is not the only one who may visit it if its policy is `owner`. */
const hasGuests = sql<boolean>`(
  exists (select from device where device.id = mapping.device_id and cardinality(allow_list) > 0)
  or exists (select from mapping_member where mapping_member.mapping_id = mapping.id)
  or exists (
    select from verification
    where verification.mapping_id = mapping.id and granted_by not in ('owner', 'own_address')
      and verification.revoked_at is null and verification.expires_at > now())
  or exists (
    select from share_link
    where share_link.mapping_id = mapping.id and share_link.revoked_at is null and share_link.expires_at > now()))`;

/** Whether somebody beside the owner could visit the mapping if its policy is `owner`. */
export async function mappingHasGuests(tx: Db, mappingId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('mapping')
    .where('id', '=', mappingId)
    .where(hasGuests)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether addresses of the device's allow-list visit a mapping without a login. */
export async function hasAllowList(tx: Db, deviceId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('device')
    .where('id', '=', deviceId)
    .where(sql<boolean>`cardinality(allow_list) > 0`)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether with these mappings a protection would be deleted: the log of who visited, or that the certificate of a LAN service is
 * checked, which another mapping with the same address would not do.
 */
export async function haveProtection(
  tx: Db,
  mappings: { mappingId: number } | { deviceIds: readonly number[] },
): Promise<boolean> {
  const which =
    'mappingId' in mappings
      ? sql<boolean>`mapping.id = ${mappings.mappingId}`
      : sql<boolean>`device_id = any(${mappings.deviceIds}::integer[])`;
  const row = await tx
    .selectFrom('mapping')
    .where(which)
    .where(sql<boolean>`(verify_tls or exists (select from visit where visit.mapping_id = mapping.id))`)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a mapping of these devices is for somebody beside their owner, where device and mapping are switched on. */
export async function haveOpenMapping(tx: Db, deviceIds: readonly number[]): Promise<boolean> {
  const row = await tx
    .selectFrom('mapping')
    .where(sql<boolean>`device_id = any(${deviceIds}::integer[])`)
    .where('enabled', '=', true)
    .where(sql<boolean>`(policy in ('password', 'public') or (policy = 'owner' and ${hasGuests}))`)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
