import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** The fields of the account that the security settings show. */
export async function findAccountState(
  db: Db,
  userId: number,
): Promise<{ hasPassword: boolean; deletionAt: Date | null } | undefined> {
  return await db
    .selectFrom('userAccount')
    .select(sql<boolean>`password_hash is not null`.as('hasPassword'))
    .select('deletionAt')
    .where('id', '=', userId)
    .executeTakeFirst();
}

/**
 * Returns the superusers whose accounts are not going to be deleted. Locks all superusers and the leaving account, so of two
 * who leave at once the second sees the first. Locks by id, like everything that locks several accounts.
 */
export async function lockRemainingAdminsForNoKeyUpdate(tx: Db, leavingId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('userAccount')
    .select(['id', 'deletionAt', 'disabledAt', 'isSuperuser'])
    .where((eb) => eb.or([eb('isSuperuser', '=', true), eb('id', '=', leavingId)]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows
    .filter((row) => row.isSuperuser && row.deletionAt === null && row.disabledAt === null)
    .map((row) => row.id);
}

/** Whether there is a superuser whose account is not going to be deleted. */
export async function hasRemainingAdmin(db: Db): Promise<boolean> {
  const admins = db.selectFrom('userAccount').where('isSuperuser', '=', true);
  const remaining = admins.where('deletionAt', 'is', null).where('disabledAt', 'is', null);
  return (await remaining.select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Lets the next run of the clean-up delete the account, which takes seconds. */
export async function scheduleDeletionNow(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('userAccount')
    .set({ deletionAt: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute();
}

/** A repeated request does not change the time. */
export async function scheduleDeletion(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('userAccount')
    .set({ deletionAt: sql<Date>`now() + interval '7 days'` })
    .where('id', '=', userId)
    .where('deletionAt', 'is', null)
    .execute();
}

/** What staff deletes is disabled, too: its owner, whose session has just ended, keeps it no longer. */
export async function cancelDeletion(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('userAccount')
    .set({ deletionAt: null })
    .where('id', '=', userId)
    .where('disabledAt', 'is', null)
    .execute();
}

export async function listDueAccounts(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('userAccount')
    .select('id')
    .where('deletionAt', '<=', sql<Date>`now()`)
    .orderBy('deletionAt')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Locks the account if its deletion is due; false when it is not, or was cancelled. */
export async function lockDueAccountForNoKeyUpdate(tx: Db, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('userAccount')
    .select('id')
    .where('id', '=', userId)
    .where('deletionAt', '<=', sql<Date>`now()`)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids of the account's devices, locked: no mapping can be added to them until the transaction ends. */
export async function findDeviceIdsForUpdate(tx: Db, userId: number): Promise<number[]> {
  const devices = tx.selectFrom('device').select('id').where('userId', '=', userId);
  const rows = await devices.orderBy('id').forUpdate().execute();
  return rows.map((row) => row.id);
}

/** Deletes the account and, by `on delete cascade`, all rows that belong to it. */
export async function deleteAccount(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('userAccount').where('id', '=', userId).execute();
}
