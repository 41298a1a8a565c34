import { sql } from 'kysely';
import type { TestDb } from '../db/open-test-db.ts';

/** The number of connections to the database that wait for a lock. */
export async function countWaiting({ db }: Pick<TestDb, 'db'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}
