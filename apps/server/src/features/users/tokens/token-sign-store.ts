import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

export type NewTokenSign = { tokenId: string; userId: number; signHash: Buffer };

export async function insertTokenSign(db: Db, sign: NewTokenSign): Promise<Date> {
  const { expiresAt } = await db
    .insertInto('tokenSign')
    .values({ ...sign, expiresAt: sql<Date>`now() + interval '10 minutes'` })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
  return expiresAt;
}

/** Keeps the sign's account from being deleted until the transaction ends. */
export async function lockOwnerForKeyShare(tx: Db, tokenId: string): Promise<void> {
  await tx
    .selectFrom('tokenSign')
    .innerJoin('userAccount', 'userAccount.id', 'tokenSign.userId')
    .where('tokenId', '=', tokenId)
    .select('userAccount.id')
    .forKeyShare('userAccount')
    .execute();
}

/** Marks the sign as used and returns its user. One statement, so that of two concurrent devices one is bound. */
export async function claimTokenSign(db: Db, tokenId: string, signHash: Buffer): Promise<number | undefined> {
  const row = await db
    .updateTable('tokenSign')
    .set({ usedAt: sql<Date>`now()` })
    .where('tokenId', '=', tokenId)
    .where('signHash', '=', signHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('userId')
    .executeTakeFirst();
  return row?.userId;
}

export async function deleteExpiredTokenSigns(db: Db): Promise<void> {
  await db
    .deleteFrom('tokenSign')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}
