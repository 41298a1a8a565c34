import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

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

/** A rotated token is still accepted for a day, so that a device being set up meanwhile gets in. */
export async function findOwnerByTokenHash(db: Db, tokenHash: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom('accountToken')
    .select('userId')
    .where('tokenHash', '=', tokenHash)
    .where(sql<boolean>`retired_at is null or retired_at > now() - interval '24 hours'`)
    .executeTakeFirst();
  return row?.userId;
}
