import { sql } from 'kysely';
import type { Db } from './driver.ts';

/** Other transactions that lock or change the account wait. Those that insert rows which refer to it do not. */
export async function lockUserForNoKeyUpdate(tx: Db, userId: number): Promise<void> {
  await lockUsersForNoKeyUpdate(tx, [userId]);
}

/** Locks several accounts, in the order of their ids. */
export async function lockUsersForNoKeyUpdate(tx: Db, userIds: readonly number[]): Promise<void> {
  await selectUsers(tx, userIds).forNoKeyUpdate().execute();
}

/** Other transactions that insert a row of the account wait, too, because each such row refers to the account. */
export async function lockUserForUpdate(tx: Db, userId: number): Promise<void> {
  await selectUsers(tx, [userId]).forUpdate().execute();
}

/** Nobody deletes the account until the transaction, which inserts a row that refers to it, ends. False if it is deleted. */
export async function lockUserForKeyShare(tx: Db, userId: number): Promise<boolean> {
  return (await selectUsers(tx, [userId]).forKeyShare().executeTakeFirst()) !== undefined;
}

function selectUsers(tx: Db, userIds: readonly number[]) {
  return tx
    .selectFrom('userAccount')
    .select('id')
    .where((eb) => eb('id', '=', eb.fn.any(sql<number[]>`${userIds}::integer[]`)))
    .orderBy('id');
}
