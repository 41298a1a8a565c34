import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

export async function replaceRecoveryHashes(tx: Db, userId: number, hashes: Buffer[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  const rows = hashes.map((codeHash) => ({ userId, codeHash }));
  await tx.insertInto('recoveryCode').values(rows).execute();
}

/** One statement, so that of several concurrent calls with one code one succeeds. */
export async function claimRecoveryHash(tx: Db, userId: number, codeHash: Buffer): Promise<boolean> {
  const row = await tx
    .updateTable('recoveryCode')
    .set({ usedAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recoveryCode')
    .select(sql<number>`count(*)`.as('count'))
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function deleteRecoveryCodes(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom('recoveryCode').where('userId', '=', userId).execute();
}
