import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import { ROLL_UP_LOCK } from './usage-store.ts';
import { startOf } from './usage-time-store.ts';

export type UsageSum = { bytesIn: number; bytesOut: number; requests: number };

/** The time by the database's clock, in SQL. */
export type SqlClock = RawBuilder<Date>;

export const databaseClock: SqlClock = sql<Date>`now()`;

/** The usage of the last 24 clock hours, including the current one. A mapping without usage is missing. */
export async function listUsageOfLastDay(
  db: Db,
  mappingIds: readonly number[],
  now = databaseClock,
): Promise<Map<number, UsageSum>> {
  return await sumHours(db, mappingIds, sql<boolean>`hour > ${now} - interval '24 hours'`);
}

/** The same for an hour that has begun, without what has happened in it. */
export async function listUsageBefore(
  db: Db,
  mappingIds: readonly number[],
  hour: Date,
): Promise<Map<number, UsageSum>> {
  const isIn = sql<boolean>`hour > ${hour}::timestamptz - interval '24 hours' and hour < ${hour}`;
  return await sumHours(db, mappingIds, isIn);
}

async function sumHours(
  db: Db,
  mappingIds: readonly number[],
  isIn: RawBuilder<boolean>,
): Promise<Map<number, UsageSum>> {
  if (mappingIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('mappingUsageHour')
    .where(sql<boolean>`mapping_id = any(${mappingIds}::integer[])`)
    .where(isIn)
    .groupBy('mappingId')
    // The sum of a bigint is a numeric, which the driver returns as text.
    .select('mappingId')
    .select(sql<number>`sum(bytes_in)::bigint`.as('bytesIn'))
    .select(sql<number>`sum(bytes_out)::bigint`.as('bytesOut'))
    .select(sql<number>`sum(requests)::bigint`.as('requests'))
    .execute();
  return new Map(rows.map(({ mappingId, ...sum }) => [mappingId, sum]));
}

type UsageSince = { runningHour: Date; sums: Map<number, UsageSum> };

/** The usage from the hour on, and which hour is running at the same moment. */
export async function listUsageSince(
  db: Db,
  mappingIds: readonly number[],
  { hour, now }: { hour: Date; now: SqlClock },
): Promise<UsageSince> {
  const { rows } = await sql<{ runningHour: Date; mappingId: number | null } & UsageSum>`
    select running_hour, mapping_id, bytes_in, bytes_out, requests
    from (select ${startOf('hour', now)} as running_hour) as clock left join (
      select mapping_id, sum(bytes_in)::bigint as bytes_in, sum(bytes_out)::bigint as bytes_out,
        sum(requests)::bigint as requests
      from mapping_usage_hour where hour >= ${hour} and mapping_id = any(${mappingIds}::integer[])
      group by mapping_id
    ) as usage on true`.execute(db);
  const sums = new Map<number, UsageSum>();
  for (const { mappingId, bytesIn, bytesOut, requests } of rows)
    if (mappingId !== null) sums.set(mappingId, { bytesIn, bytesOut, requests });
  return { runningHour: (rows[0] as { runningHour: Date }).runningHour, sums }; // the clock is one row
}

/**
 * The begin of the running hour, if no report is being stored: then the hours before it do not change any more, because a
 * report gets its time after it has the lock. Not to be called in a transaction, which would keep the lock.
 */
export async function findSettledHour(db: Db, now: SqlClock): Promise<Date | undefined> {
  const { rows } = await sql<{ hour: Date; isSettled: boolean }>`
    select ${startOf('hour', now)} as hour, pg_try_advisory_xact_lock(${ROLL_UP_LOCK}) as is_settled`.execute(db);
  return rows[0]?.isSettled === true ? rows[0].hour : undefined;
}
