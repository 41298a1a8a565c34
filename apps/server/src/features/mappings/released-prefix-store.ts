import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** Whose names are given up: one mapping's, all of a device's, all of an account's. */
export type Released = { mappingId: number } | { deviceId: number } | { userId: number };

const kept = sql`interval '30 days'`;

/** Puts on record that these mappings had their names. They must be there still, and nobody changes them from now on. */
export async function insertReleasedPrefixes(tx: Db, released: Released): Promise<void> {
  const which =
    'mappingId' in released
      ? sql`mapping.id = ${released.mappingId}`
      : 'deviceId' in released
        ? sql`device.id = ${released.deviceId}`
        : sql`device.user_id = ${released.userId}`;
  await sql`
    with held as materialized (
      select mapping.server_id, mapping.prefix, device.user_id
      from mapping join device on device.id = mapping.device_id
      where ${which} and mapping.prefix is not null
      order by mapping.id for update of mapping
    )
    insert into released_prefix (server_id, prefix, user_id) select server_id, prefix, user_id from held
    on conflict (server_id, prefix) do update set user_id = excluded.user_id, released_at = now()`.execute(tx);
}

/** Takes the name that a mapping has off the record, if it was this user's before or nobody's for long. True when it was there. */
export async function takeReleasedPrefix(tx: Db, mapping: { id: number; userId: number }): Promise<boolean> {
  const row = await tx
    .deleteFrom('releasedPrefix')
    .using('mapping')
    .where('mapping.id', '=', mapping.id)
    .whereRef('releasedPrefix.serverId', '=', 'mapping.serverId')
    .whereRef('releasedPrefix.prefix', '=', 'mapping.prefix')
    .where((eb) =>
      eb.or([
        eb('releasedPrefix.userId', '=', mapping.userId),
        eb('releasedPrefix.releasedAt', '<=', sql<Date>`now() - ${kept}`),
      ]),
    )
    .returning('releasedPrefix.prefix')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the name that a mapping has is on record. */
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

/** How many names are kept for an account; no more than `most` are counted. */
export async function countReleasedPrefixes(tx: Db, userId: number, most: number): Promise<number> {
  const rows = await tx
    .selectFrom('releasedPrefix')
    .where('userId', '=', userId)
    .where(sql<boolean>`released_at > now() - ${kept}`)
    .select('prefix')
    .limit(most)
    .execute();
  return rows.length;
}

export async function deleteOldReleasedPrefixes(db: Db): Promise<void> {
  await db
    .deleteFrom('releasedPrefix')
    .where(sql<boolean>`released_at <= now() - ${kept}`)
    .execute();
}
