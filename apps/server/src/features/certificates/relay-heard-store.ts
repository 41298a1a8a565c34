import type { Db } from '../../db/driver.ts';

/** Whether any relay was there at some time after this one. */
export async function hasRelayBeenHeard(db: Db, since: Date): Promise<boolean> {
  const row = await db.selectFrom('relay').where('lastSeenAt', '>', since).select('id').executeTakeFirst();
  return row !== undefined;
}
