import { sql } from 'kysely';
import type { Db } from '../db/driver.ts';

/** What was counted, and for how long it still counts. */
export type RateCount = { hits: number; leftMs: number };

const leftMs = sql<number>`greatest(ceil(extract(epoch from ends_at - clock_timestamp()) * 1000), 1)::double precision`;

/**
 * Counts a hit in a window that begins with its first one. One statement, so that however many processes count at once,
 * each number comes up once. Returns the hits of the window so far, this one included.
 */
export async function countHit(db: Db, { key, windowMs }: { key: string; windowMs: number }): Promise<RateCount> {
  const end = sql`clock_timestamp() + make_interval(secs => ${windowMs / 1000})`;
  const { rows } = await sql<RateCount>`
    insert into rate_count as c (key, hits, ends_at) values (${key}, 1, ${end})
    on conflict (key) do update set
      hits = case when c.ends_at <= clock_timestamp() then 1 else least(c.hits, 1000000000) + 1 end,
      ends_at = case when c.ends_at <= clock_timestamp() then ${end} else c.ends_at end
    returning hits, ${leftMs} as left_ms`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('counting returned no row');
  return row;
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
