import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../db/driver.ts';

const NAME = 'first_steps';
const Noted = z.object({ isDismissed: z.boolean().default(false), hasBackup: z.boolean().default(false) });
export type NotedSteps = z.infer<typeof Noted>;

/** What the administrator has said of the steps. */
export async function findNotedSteps(db: Db): Promise<NotedSteps> {
  const row = await db.selectFrom('setting').where('name', '=', NAME).select('value').executeTakeFirst();
  return Noted.parse(row?.value ?? {});
}

export async function noteSteps(db: Db, noted: Partial<NotedSteps>): Promise<void> {
  const value = JSON.stringify(noted);
  await db
    .insertInto('setting')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`setting.value || excluded.value` }))
    .execute();
}

/** What an account has done of the steps that concern it. */
export async function findOwnSteps(
  db: Db,
  userId: number,
): Promise<{ hasOneTimePassword: boolean; hasAlert: boolean } | undefined> {
  return await db
    .selectFrom('userAccount')
    .where('id', '=', userId)
    .select('hasOneTimePassword')
    .select(sql<boolean>`exists (select from alert_channel where user_id = user_account.id and enabled)`.as('hasAlert'))
    .executeTakeFirst();
}

/** Whether an administrator has ever logged in. */
export async function hasAdministratorLoggedIn(db: Db): Promise<boolean> {
  const admins = db.selectFrom('userAccount').where('isSuperuser', '=', true).where('lastLoginAt', 'is not', null);
  return (await admins.select('id').limit(1).executeTakeFirst()) !== undefined;
}
