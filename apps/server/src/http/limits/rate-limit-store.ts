import { must } from '@tongtu/base';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** The hits of a window, and the time until it ends. */
export type RateCount = { hits: number; leftMs: number };

const leftMs = sql<number>`greatest(ceil(extract(epoch from ends_at - clock_timestamp()) * 1000), 1)::double precision`;

type CountedHit = { key: string; windowMs: number };

/** Counts one hit, see `countHits`. */
export async function countHit(db: Db, hit: CountedHit): Promise<RateCount> {
  return must((await countHits(db, [hit])).get(hit.key), 'the count');
}

/**
 * Counts one hit for each key and returns the hits of each window by key. A window begins with its first hit. It is one
 * statement, so concurrent processes never get the same number. In a transaction, others who count one of these keys wait
 * until it ends.
 */
export async function countHits(db: Db, hits: readonly CountedHit[]): Promise<Map<string, RateCount>> {
  const keys = hits.map(({ key }) => key);
  const windowsSeconds = hits.map(({ windowMs }) => windowMs / 1000);
  // Ordered by key, so that concurrent statements cannot deadlock.
  const { rows } = await sql<RateCount & { key: string }>`
    insert into rate_count as c (key, hits, ends_at)
    select key, 1, clock_timestamp() + make_interval(secs => seconds)
    from (
      select key, seconds from unnest(${keys}::text[], ${windowsSeconds}::double precision[]) as hit (key, seconds)
      order by key
    ) as ordered
    on conflict (key) do update set
      hits = case when c.ends_at <= clock_timestamp() then 1 else least(c.hits, 1000000000) + 1 end,
      ends_at = case when c.ends_at <= clock_timestamp() then excluded.ends_at else c.ends_at end
    returning key, hits, ${leftMs} as left_ms`.execute(db);
  return new Map(rows.map(({ key, ...count }) => [key, count]));
}

/** The count of a window that has not ended. Undefined if there is none. */
export async function findCount(db: Db, key: string): Promise<RateCount | undefined> {
  return await db
    .selectFrom('rateCount')
    .select('hits')
    .select(leftMs.as('leftMs'))
    .where('key', '=', key)
    .where('endsAt', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
}

/** The hits of each window that has not ended, by key. Others who count or lock one of these wait for the transaction. */
export async function lockCounts(tx: Db, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('rateCount')
    .select(['key', 'hits'])
    .where((eb) => eb('key', '=', eb.fn.any(sql<string[]>`${keys}::text[]`)))
    .where('endsAt', '>', sql<Date>`clock_timestamp()`)
    .orderBy('key') // as in `countHits`
    .forUpdate()
    .execute();
  return new Map(rows.map(({ key, hits }) => [key, hits]));
}

/** The sum over all these keys. `leftMs` is that of the window that ends first. */
export async function sumCounts(db: Db, keys: readonly string[]): Promise<RateCount> {
  return await db
    .selectFrom('rateCount')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('hits'), sql<number>`0`).as('hits'))
    .select(sql<number>`coalesce(min(${leftMs}), 0)`.as('leftMs'))
    .where((eb) => eb('key', '=', eb.fn.any(sql<string[]>`${keys}::text[]`)))
    .where('endsAt', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirstOrThrow();
}

/** Subtracts one hit. A row is deleted in place of reaching 0. */
export async function undoHit(db: Db, key: string): Promise<void> {
  await sql`
    with only_hit as (delete from rate_count where key = ${key} and hits <= 1)
    update rate_count set hits = hits - 1 where key = ${key} and hits > 1`.execute(db);
}

export async function deleteHits(db: Db, key: string): Promise<void> {
  await db.deleteFrom('rateCount').where('key', '=', key).execute();
}

/** Deletes one count and subtracts a hit of the other. Both are locked in the order of `countHits`, so that no two deadlock. */
export async function resetAndUndoHit(db: Db, resetKey: string, undoneKey: string): Promise<void> {
  await sql`
    with locked as materialized (
      select key, hits from rate_count where key in (${resetKey}, ${undoneKey}) order by key for update
    ), deleted as (
      delete from rate_count where key in (select key from locked where key = ${resetKey} or hits <= 1)
    )
    update rate_count set hits = hits - 1
    where key in (select key from locked where key = ${undoneKey} and hits > 1)`.execute(db);
}

/** Deletes windows that have ended. */
export async function deleteOldRateCounts(db: Db): Promise<void> {
  await db
    .deleteFrom('rateCount')
    .where('endsAt', '<=', sql<Date>`now()`)
    .execute();
}
