import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type KnownLogin = { browser: string; place: string };

export async function listKnownLogins(db: Db, userId: number): Promise<KnownLogin[]> {
  return await db.selectFrom('knownLogin').select(['browser', 'place']).where('userId', '=', userId).execute();
}

/** The sessions that live, also those that began before logins were kept. */
export async function listLivingSessions(db: Db, userId: number): Promise<{ userAgent: string; ip: string }[]> {
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
 * Nobody has logged in like that for so long that the next such login is reported again. Each user's last one stays: without any the next
 * login would pass for the first, and an account that nobody uses would be taken over in silence.
 */
export async function deleteOldKnownLogins(db: Db): Promise<void> {
  await sql`
    delete from known_login as old where last_at < now() - interval '90 days' and exists (
      select from known_login as later where later.user_id = old.user_id
        and (later.last_at, later.browser, later.place) > (old.last_at, old.browser, old.place))`.execute(db);
}
