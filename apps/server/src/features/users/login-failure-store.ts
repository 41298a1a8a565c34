import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

const MAX_FAILURES = 10;
const lockTime = sql`interval '15 minutes'`;

/** What failed logins are counted under; `account` as it was typed, but folded. */
export function loginKey(account: string): string {
  return `name:${account}`;
}

/** The same of a browser in which the account's owner has logged in before (features/trusted-browsers). */
export function trustedKey(browserId: number): string {
  return `browser:${browserId}`;
}

/**
 * Counts an attempt as failed before its password is looked at, so that however many come at once, only MAX_FAILURES
 * passwords are ever tried. False when the account is locked. A success takes the count back.
 */
export async function claimAttempt(db: Db, account: string): Promise<boolean> {
  // One statement: the row's lock makes concurrent attempts queue here. Old failures do not add up over weeks.
  const { rows } = await sql<{ failures: number }>`
    insert into login_failure as f (account, failures) values (${account}, 1)
    on conflict (account) do update set
      failures = case when f.last_at < now() - ${lockTime} then 1 else f.failures + 1 end,
      locked_until = case
        when f.last_at >= now() - ${lockTime} and f.failures + 1 >= ${MAX_FAILURES} then now() + ${lockTime}
      end,
      last_at = now()
    where f.locked_until is null or f.locked_until <= now()
    returning failures`.execute(db);
  return rows.length > 0;
}

export async function clearFailures(db: Db, account: string): Promise<void> {
  await db.deleteFrom('loginFailure').where('account', '=', account).execute();
}

/** Of everything that is counted under a name that begins so. */
export async function clearFailuresBelow(db: Db, prefix: string): Promise<void> {
  await db
    .deleteFrom('loginFailure')
    .where(sql<boolean>`starts_with(account, ${prefix})`)
    .execute();
}

export async function lockedSeconds(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom('loginFailure')
    .select(sql<number>`ceil(extract(epoch from locked_until - now()))::integer`.as('seconds'))
    .where('account', '=', account)
    .executeTakeFirst();
  return Math.max(row?.seconds ?? 0, 1);
}

export async function deleteOldFailures(db: Db): Promise<void> {
  await db
    .deleteFrom('loginFailure')
    .where(sql<boolean>`last_at < now() - ${lockTime}`)
    .execute();
}
