import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type KnownLogin = { browser: string; place: string };

export async function listKnownLogins(db: Db, userId: number): Promise<KnownLogin[]> {
  return await db.selectFrom('knownLogin').select(['browser', 'place']).where('userId', '=', userId).execute();
}

/** Active sessions count as known logins, too: some began before the table `known_login` existed. */
export async function listActiveSessions(db: Db, userId: number): Promise<{ userAgent: string; ip: string }[]> {
  return await db
    .selectFrom('session')
    .select(['userAgent', 'ip'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .execute();
}

export async function saveKnownLogin(db: Db, userId: number, login: KnownLogin): Promise<void> {
  await db
    .insertInto('knownLogin')
    .values({ ...login, userId })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'browser', 'place']).doUpdateSet({ lastAt: sql<Date>`now()` }),
    )
    .execute();
}

/**
 * Deletes known logins that were last used more than 90 days ago, so that the next one like it causes an alert. Each
 * user's last known login stays: without any, the next login would count as the first and cause no alert.
 */
export async function deleteOldKnownLogins(db: Db): Promise<void> {
  await sql`
    delete from known_login as old where last_at < now() - interval '90 days' and exists (
      select from known_login as later where later.user_id = old.user_id
        and (later.last_at, later.browser, later.place) > (old.last_at, old.browser, old.place))`.execute(db);
}
