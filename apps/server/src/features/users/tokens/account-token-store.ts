import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import { lockUserForUpdate } from '../../../db/lock-user.ts';

export async function insertAccountToken(
  db: Db,
  token: { userId: number; tokenHash: Buffer; tokenSealed: Buffer },
): Promise<void> {
  await db.insertInto('accountToken').values(token).execute();
}

export async function findSealedToken(db: Db, userId: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('accountToken')
    .select('tokenSealed')
    .where('userId', '=', userId)
    .where('retiredAt', 'is', null)
    .executeTakeFirst();
  return row?.tokenSealed;
}

/** The token that was rotated last is still accepted for a day, so that a device being set up meanwhile gets in. */
export async function findOwnerByTokenHash(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom('accountToken')
    .select('userId')
    .where('tokenHash', '=', tokenHash)
    .where(sql<boolean>`(retired_at is null or retired_at > now() - interval '24 hours')`)
    .executeTakeFirst();
  return row?.userId;
}

/** Two rotations at once wait for each other here: each retires what it finds, and ends what was retired before. */
export async function retireAccountToken(tx: Db, userId: number): Promise<void> {
  await lockUserForUpdate(tx, userId);
  await deletePreviousTokens(tx, userId);
  await tx
    .updateTable('accountToken')
    .set({ retiredAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where('retiredAt', 'is', null)
    .execute();
}

/** Ends at once what was rotated away. */
export async function deletePreviousTokens(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('accountToken').where('userId', '=', userId).where('retiredAt', 'is not', null).execute();
}

/** Until when the token that was replaced last still enrols; undefined when it does no more. */
export async function findPreviousTokenEnd(db: Db, userId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('accountToken')
    .select(sql<Date | null>`max(retired_at) + interval '24 hours'`.as('endsAt'))
    .where('userId', '=', userId)
    .where('retiredAt', '>', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirst();
  return row?.endsAt ?? undefined;
}

export async function deleteRetiredTokens(db: Db): Promise<void> {
  await db
    .deleteFrom('accountToken')
    .where('retiredAt', '<=', sql<Date>`now() - interval '24 hours'`)
    .execute();
}
