import { sql } from 'kysely';
import type { Db } from './driver.ts';

/** Makes others who lock or change the account wait until the transaction ends; whoever only refers to it goes on. */
export async function lockUser(tx: Db, userId: number): Promise<void> {
  await lockUsers(tx, [userId]);
}

/** The same for several, in one order. */
export async function lockUsers(tx: Db, userIds: readonly number[]): Promise<void> {
  await selectUsers(tx, userIds).forNoKeyUpdate().execute();
}

/** The same, and nobody adds anything to the account meanwhile: every row of it refers to the account's. */
export async function lockUserWhole(tx: Db, userId: number): Promise<void> {
  await selectUsers(tx, [userId]).forUpdate().execute();
}

/** Keeps the account from being deleted until the transaction ends, for who is going to refer to it; false when it has been. */
export async function holdUser(tx: Db, userId: number): Promise<boolean> {
  return (await selectUsers(tx, [userId]).forKeyShare().executeTakeFirst()) !== undefined;
}

function selectUsers(tx: Db, userIds: readonly number[]) {
  return tx
    .selectFrom('userAccount')
    .select('id')
    .where((eb) => eb('id', '=', eb.fn.any(sql<number[]>`${userIds}::integer[]`)))
    .orderBy('id');
}
