import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { FlaggedAccount } from '../../http/session.ts';

export type FlaggedUserRow = FlaggedAccount & { id: number; username: string; disabledAt: Date | null };

/** What of the flags is to change. */
export type FlagChange = { [Flag in keyof FlaggedAccount]?: boolean | undefined };

export async function findFlaggedUser(db: Db, userId: number): Promise<FlaggedUserRow | undefined> {
  return await db
    .selectFrom('userAccount')
    .select(['id', 'username', 'isStaff', 'isPromoter', 'isSuperuser', 'disabledAt'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** By the name alone, in any case of letters. */
export async function findUserIdByName(db: Db, username: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('userAccount')
    .select('id')
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .executeTakeFirst();
  return row?.id;
}

export async function setFlags(tx: Db, userId: number, flags: FlaggedAccount): Promise<void> {
  const { isStaff, isPromoter, isSuperuser } = flags;
  await tx.updateTable('userAccount').set({ isStaff, isPromoter, isSuperuser }).where('id', '=', userId).execute();
}
