import type { Db } from '../../../db/driver.ts';

export type AccountRow = { keySealed: Buffer; accountUrl: string | null; email: string };

/** Finds the account with this authority, or inserts one with the given key. */
export async function findOrInsertAccount(db: Db, directoryUrl: string, keySealed: Buffer): Promise<AccountRow> {
  await db
    .insertInto('acmeAccount')
    .values({ directoryUrl, keySealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await db
    .selectFrom('acmeAccount')
    .where('directoryUrl', '=', directoryUrl)
    .select(['keySealed', 'accountUrl', 'email'])
    .executeTakeFirstOrThrow();
}

export async function updateAccount(
  db: Db,
  directoryUrl: string,
  account: { accountUrl: string | null; email: string },
): Promise<void> {
  await db.updateTable('acmeAccount').set(account).where('directoryUrl', '=', directoryUrl).execute();
}
