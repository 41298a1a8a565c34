import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** The database's clock, which all processes go by. */
export async function readClock(db: Db): Promise<Date> {
  const { now } = await db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow();
  return now;
}

/** Whether any relay was there at some time after this one. */
export async function hasRelayBeenHeard(db: Db, since: Date): Promise<boolean> {
  const row = await db.selectFrom('relay').where('lastSeenAt', '>', since).select('id').executeTakeFirst();
  return row !== undefined;
}
