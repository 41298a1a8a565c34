import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Of a query on `mapping`: its members and valid share links open it beside its owner. */
const hasGuests = sql<boolean>`(
  exists (select from mapping_member where mapping_member.mapping_id = mapping.id)
  or exists (
    select from share_link
    where share_link.mapping_id = mapping.id and revoked_at is null and share_link.expires_at > now()))`;

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
