import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

/** The mappings that give up their prefix: one mapping, all of a device, or all of an account. */
export type Released = { mappingId: number } | { deviceId: number } | { userId: number };

const retention = sql`interval '30 days'`;

/** Inserts the prefixes of these mappings, which still exist, and locks the mappings. */
export async function insertReleasedPrefixes(tx: Db, released: Released): Promise<void> {
  const which =
    'mappingId' in released
      ? sql`mapping.id = ${released.mappingId}`
      : 'deviceId' in released
        ? sql`device.id = ${released.deviceId}`
        : sql`device.user_id = ${released.userId}`;
  await sql`
    with released as materialized (
      select mapping.server_id, mapping.prefix, device.user_id
      from mapping join device on device.id = mapping.device_id
      where ${which} and mapping.prefix is not null
      order by mapping.id for update of mapping
    )
    insert into released_prefix (server_id, prefix, user_id) select server_id, prefix, user_id from released
    on conflict (server_id, prefix) do update set user_id = excluded.user_id, released_at = now()`.execute(tx);
}

/** Deletes the released prefix that a mapping has taken, if this user had it before or its time is over. False if there is none. */
export async function reclaimReleasedPrefix(tx: Db, mapping: { id: number; userId: number }): Promise<boolean> {
  const row = await tx
    .deleteFrom('releasedPrefix')
    .using('mapping')
    .where('mapping.id', '=', mapping.id)
    .whereRef('releasedPrefix.serverId', '=', 'mapping.serverId')
    .whereRef('releasedPrefix.prefix', '=', 'mapping.prefix')
    .where((eb) =>
      eb.or([
        eb('releasedPrefix.userId', '=', mapping.userId),
        eb('releasedPrefix.releasedAt', '<=', sql<Date>`now() - ${retention}`),
      ]),
    )
    .returning('releasedPrefix.prefix')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the mapping's prefix is a released prefix. */
export async function isPrefixOfMappingReleased(tx: Db, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('releasedPrefix')
    .innerJoin('mapping', (join) =>
      join
        .onRef('mapping.serverId', '=', 'releasedPrefix.serverId')
        .onRef('mapping.prefix', '=', 'releasedPrefix.prefix'),
    )
    .where('mapping.id', '=', id)
    .select('releasedPrefix.prefix')
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the released prefixes of an account, `limit` at limit. */
export async function countReleasedPrefixes(tx: Db, userId: number, limit: number): Promise<number> {
  const rows = await tx
    .selectFrom('releasedPrefix')
    .where('userId', '=', userId)
    .where(sql<boolean>`released_at > now() - ${retention}`)
    .select('prefix')
    .limit(limit)
    .execute();
  return rows.length;
}

export async function deleteOldReleasedPrefixes(db: Db): Promise<void> {
  await db
    .deleteFrom('releasedPrefix')
    .where(sql<boolean>`released_at <= now() - ${retention}`)
    .execute();
}
