import { sql } from 'kysely';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Db } from '../../db/driver.ts';

const PHONE_KEY = 'user_account_phone_number_key';

export async function findUserByPhone(db: Db, phone: string): Promise<number | undefined> {
  const row = await db.selectFrom('userAccount').select('id').where('phoneNumber', '=', phone).executeTakeFirst();
  return row?.id;
}

/** Returns undefined when the account has no number. */
export async function findPhoneOf(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('userAccount').select('phoneNumber').where('id', '=', userId).executeTakeFirst();
  return row?.phoneNumber ?? undefined;
}

/** Replaces `former` (undefined: no number) by `phone`. Returns false when the account's number is not `former`. */
export async function replacePhone(
  db: Db,
  { userId, former, phone }: { userId: number; former: string | undefined; phone: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('userAccount')
    .set({ phoneNumber: phone, phoneBoundAt: sql<Date>`now()` })
    .where('id', '=', userId)
    .where(sql<boolean>`phone_number is not distinct from ${former ?? null}`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The login form requires consent to the terms, but older accounts may have none recorded. */
export async function acceptTerms(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('userAccount')
    .set({ acceptedTermsOfService: true })
    .where('id', '=', userId)
    .where('acceptedTermsOfService', '=', false)
    .execute();
}

/** True when a write failed because another account has the number. */
export function isPhoneTaken(error: unknown): boolean {
  return isUniqueViolation(error, PHONE_KEY);
}
