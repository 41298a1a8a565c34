import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

const MAX_FAILURES = 10;
/** The longest lock: older failures count nowhere. */
const LONGEST_LOCK_MINUTES = 60;

/**
 * Counts an attempt as failed. Returns false and counts nothing while the key is locked. It does not wait until the count is
 * on the disk: a crash of the database may forget those of the last second. NOTE: this holds for all of the transaction in
 * which it is called, so that one must not write anything but counts.
 */
export async function claimAttempt(db: Db, key: string, lockMinutes: number): Promise<boolean> {
  const lockDuration = sql`make_interval(mins => ${lockMinutes}::integer)`;
  // One statement: concurrent attempts wait for the row's lock. Failures older than the lock duration are not added up.
  const { rows } = await sql<{ failures: number }>`
    with commits as materialized (select set_config('synchronous_commit', 'off', true))
    insert into failed_attempt as f (key, failures) select ${key}, 1 from commits
    on conflict (key) do update set
      failures = case when f.last_at < now() - ${lockDuration} then 1 else f.failures + 1 end,
      locked_until = case
        when f.last_at >= now() - ${lockDuration} and f.failures + 1 >= ${MAX_FAILURES} then now() + ${lockDuration}
      end,
      last_at = now()
    where f.locked_until is null or f.locked_until <= now()
    returning failures`.execute(db);
  return rows.length > 0;
}

/** Seconds until the key is unlocked, or 0. */
export async function findLockedSeconds(db: Db, key: string): Promise<number> {
  const row = await db
    .selectFrom('failedAttempt')
    .where('key', '=', key)
    .where('lockedUntil', '>', sql<Date>`now()`)
    .select(sql<number>`ceil(extract(epoch from locked_until - now()))::integer`.as('seconds'))
    .executeTakeFirst();
  return row?.seconds ?? 0;
}

export async function clearFailures(db: Db, key: string): Promise<void> {
  await db.deleteFrom('failedAttempt').where('key', '=', key).execute();
}

/** Clears the failures of all keys with this prefix. */
export async function clearFailuresByPrefix(db: Db, prefix: string): Promise<void> {
  await db
    .deleteFrom('failedAttempt')
    .where(sql<boolean>`starts_with(key, ${prefix})`)
    .execute();
}

export async function deleteOldFailures(db: Db): Promise<void> {
  await db
    .deleteFrom('failedAttempt')
    .where(sql<boolean>`last_at < now() - make_interval(mins => ${LONGEST_LOCK_MINUTES})`)
    .execute();
}
