import { must } from '@tongtu/base';
import { sql } from 'kysely';
import type { Db } from '../db/driver.ts';

/** What was counted, and for how long it still counts. */
export type RateCount = { hits: number; leftMs: number };

const leftMs = sql<number>`greatest(ceil(extract(epoch from ends_at - clock_timestamp()) * 1000), 1)::double precision`;

type CountedHit = { key: string; windowMs: number };

/** As `countHits`, of one. */
export async function countHit(db: Db, hit: CountedHit): Promise<RateCount> {
  return must((await countHits(db, [hit])).get(hit.key), 'what was counted');
}

/**
 * Counts a hit of each, in windows that begin with their first one. One statement, so that however many processes count at
 * once, each number comes up once. Returns the hits of each window so far, these included, by key. In a transaction, which
 * may take all of them back, others who count one of them wait until it ends.
 */
export async function countHits(db: Db, hits: readonly CountedHit[]): Promise<Map<string, RateCount>> {
  const keys = hits.map(({ key }) => key);
  const windowsSeconds = hits.map(({ windowMs }) => windowMs / 1000);
  // In one order, so that those who count some of the same never wait for each other.
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

/** Of a window that has not ended; undefined where nothing is counted. */
export async function findCount(db: Db, key: string): Promise<RateCount | undefined> {
  return await db
    .selectFrom('rateCount')
    .select('hits')
    .select(leftMs.as('leftMs'))
    .where('key', '=', key)
    .where('endsAt', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
}

/** Of all these keys; `leftMs` of the window that ends first. */
export async function sumCounts(db: Db, keys: readonly string[]): Promise<RateCount> {
  return await db
    .selectFrom('rateCount')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('hits'), sql<number>`0`).as('hits'))
    .select(sql<number>`coalesce(min(${leftMs}), 0)`.as('leftMs'))
    .where((eb) => eb('key', '=', eb.fn.any(sql<string[]>`${keys}::text[]`)))
    .where('endsAt', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirstOrThrow();
}

/** A count that comes to nothing is no row. */
export async function takeHitBack(db: Db, key: string): Promise<void> {
  await sql`
    with only_hit as (delete from rate_count where key = ${key} and hits <= 1)
    update rate_count set hits = hits - 1 where key = ${key} and hits > 1`.execute(db);
}

export async function forgetHits(db: Db, key: string): Promise<void> {
  await db.deleteFrom('rateCount').where('key', '=', key).execute();
}

/** Takes back what is counted no more. */
export async function deleteOldRateCounts(db: Db): Promise<void> {
  await db
    .deleteFrom('rateCount')
    .where('endsAt', '<=', sql<Date>`now()`)
    .execute();
}
