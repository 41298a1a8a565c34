import type { Db } from './driver.ts';

/** Makes others who lock or change the account wait until the transaction ends; whoever only refers to it goes on. */
export async function lockUser(tx: Db, userId: number): Promise<void> {
  await tx.selectFrom('userAccount').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

/** The same, and nobody adds anything to the account meanwhile: every row of it refers to the account's. */
export async function lockUserWhole(tx: Db, userId: number): Promise<void> {
  await tx.selectFrom('userAccount').select('id').where('id', '=', userId).forUpdate().execute();
}
