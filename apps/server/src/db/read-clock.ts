import { sql } from 'kysely';
import type { Db } from './driver.ts';

/** Reads the database's clock, which all processes use. */
export async function readClock(db: Db): Promise<Date> {
  const { now } = await db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow();
  return now;
}
