import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** What the account's own page shows of it beside the profile. */
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
 * The administrators whose accounts will stay, locked: of two who leave at once, the second sees what the first did. The
 * account that leaves is locked with them, in one order, as by all who lock several.
 */
export async function lockStayingAdmins(tx: Db, leavingId: number): Promise<number[]> {
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

/** Whether there is an administrator whose account will stay, for now. */
export async function hasStayingAdmin(db: Db): Promise<boolean> {
  const admins = db.selectFrom('userAccount').where('isSuperuser', '=', true);
  const staying = admins.where('deletionAt', 'is', null).where('disabledAt', 'is', null);
  return (await staying.select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Lets the account be deleted by the next run, which takes seconds. */
export async function planDeletionNow(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('userAccount')
    .set({ deletionAt: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute();
}

/** Asked for again, the time stays what it was. */
export async function planDeletion(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('userAccount')
    .set({ deletionAt: sql<Date>`now() + interval '7 days'` })
    .where('id', '=', userId)
    .where('deletionAt', 'is', null)
    .execute();
}

export async function cancelDeletion(db: Db, userId: number): Promise<void> {
  await db.updateTable('userAccount').set({ deletionAt: null }).where('id', '=', userId).execute();
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

/** Locks the account when its time has come and its owner has not come back. */
export async function lockDueAccount(tx: Db, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('userAccount')
    .select('id')
    .where('id', '=', userId)
    .where('deletionAt', '<=', sql<Date>`now()`)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** The ids of the account's devices. Nobody adds a mapping to them until the transaction ends. */
export async function lockDevices(tx: Db, userId: number): Promise<number[]> {
  const devices = tx.selectFrom('device').select('id').where('userId', '=', userId);
  const rows = await devices.orderBy('id').forUpdate().execute();
  return rows.map((row) => row.id);
}

/** With everything that belongs to the account: every table of it refers to its row, and goes with it. */
export async function deleteAccount(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('userAccount').where('id', '=', userId).execute();
}
