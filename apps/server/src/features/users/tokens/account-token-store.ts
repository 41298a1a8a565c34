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

/** The previous token is accepted for another 24 hours, so that a device whose set-up has begun can still enrol. */
export async function findOwnerByTokenHash(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom('accountToken')
    .select('userId')
    .where('tokenHash', '=', tokenHash)
    .where(sql<boolean>`(retired_at is null or retired_at > now() - interval '24 hours')`)
    .executeTakeFirst();
  return row?.userId;
}

/** Retires the current token and deletes those retired before. Concurrent rotations wait for each other. */
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

/** Deletes the account's retired tokens before their 24 hours are over. */
export async function deletePreviousTokens(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('accountToken').where('userId', '=', userId).where('retiredAt', 'is not', null).execute();
}

/** Until when the previous token enrols devices; undefined when it no longer does. */
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
