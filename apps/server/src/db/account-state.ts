import type { Db } from './driver.ts';

/** Whether staff have switched the account off: nobody logs in to it, and none of its devices is reached. */
export async function isDisabled(db: Db, userId: number): Promise<boolean> {
  const accounts = db.selectFrom('userAccount').where('id', '=', userId).where('disabledAt', 'is not', null);
  return (await accounts.select('id').executeTakeFirst()) !== undefined;
}
