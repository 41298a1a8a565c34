import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { beijingDay } from './usage-time-store.ts';
import type { UsageSources } from './usage-source.ts';

/** The accounts of verifications; a deleted verification is missing. */
export async function listVisitorAccounts(tx: Db, verificationIds: number[]): Promise<Map<number, number | null>> {
  if (verificationIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('verification')
    .where((eb) => eb('id', '=', eb.fn.any(sql<number[]>`${verificationIds}::integer[]`)))
    .select(['id', 'userId'])
    .execute();
  return new Map(rows.map(({ id, userId }) => [id, userId]));
}

/** Adds the places and visitors of the mappings that `usage_recent` and the caller know as `mappings`. */
export async function addSources(
  tx: Db,
  { sources, mappingIds, at }: { sources: UsageSources[]; mappingIds: number[]; at: Date },
): Promise<void> {
  const places = sources.flatMap(({ mappingId, places: found }) =>
    [...found].map(([place, requests]) => ({ mapping_id: mappingId, place, requests })),
  );
  const visitors = sources.flatMap(({ mappingId, requestsByVisitor }) =>
    [...requestsByVisitor].map(([verificationId, requests]) => ({
      mapping_id: mappingId,
      verification_id: verificationId,
      requests,
    })),
  );
  const day = beijingDay(sql`${at}::timestamptz`);
  const owned = sql`
    join mapping on mapping.id = source.mapping_id and mapping.id = any(${mappingIds}::integer[])
    join device on device.id = mapping.device_id`;
  if (places.length > 0)
    await sql`
      insert into usage_place_day as total (user_id, device_id, mapping_id, day, place, requests)
      select user_id, device_id, mapping.id, ${day}, place, sum(source.requests)
      from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as source(mapping_id bigint, place text, requests bigint)
      ${owned}
      group by user_id, device_id, mapping.id, place order by mapping.id, place
      on conflict (mapping_id, day, place) do update set requests = total.requests + excluded.requests`.execute(tx);
  if (places.length > 0)
    await sql`
      insert into usage_account_place_day as total (user_id, day, place, requests)
      select user_id, ${day}, place, sum(source.requests)
      from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as source(mapping_id bigint, place text, requests bigint)
      ${owned}
      group by user_id, place order by user_id, place
      on conflict (user_id, day, place) do update set requests = total.requests + excluded.requests`.execute(tx);
  if (visitors.length > 0)
    await sql`
      insert into usage_visitor_day as total (user_id, device_id, mapping_id, day, verification_id, requests)
      select user_id, device_id, mapping.id, ${day}, verification_id, sum(source.requests)
      from jsonb_to_recordset(${JSON.stringify(visitors)}::jsonb)
        as source(mapping_id bigint, verification_id integer, requests bigint)
      ${owned}
      group by user_id, device_id, mapping.id, verification_id order by mapping.id, verification_id
      on conflict (mapping_id, day, verification_id) do update set
        requests = total.requests + excluded.requests`.execute(tx);
}
