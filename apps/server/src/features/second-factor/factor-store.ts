import type { SecondFactorNeed } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type Factors = { isOn: boolean; methods: SecondFactorNeed['methods'] };

type Found = { hasTotp: boolean; hasPasskey: boolean; hasPasskeyHere: boolean; hasRecoveryCode: boolean };

/** Whether the account has a second factor, and which ones can be used at the console host `rpId`. */
export async function listFactors(db: Db, userId: number, rpId: string): Promise<Factors> {
  const { rows } = await sql<Found>`
    select
      exists (select from totp where user_id = ${userId} and confirmed_at is not null) as has_totp,
      exists (select from passkey where user_id = ${userId}) as has_passkey,
      exists (select from passkey where user_id = ${userId} and rp_id = ${rpId}) as has_passkey_here,
      exists (select from recovery_code where user_id = ${userId} and used_at is null) as has_recovery_code
  `.execute(db);
  const [found] = rows;
  const isOn = Boolean(found?.hasTotp || found?.hasPasskey);
  const methods: Factors['methods'] = [];
  if (found?.hasTotp) methods.push('totp');
  if (found?.hasPasskeyHere) methods.push('passkey');
  if (isOn && found?.hasRecoveryCode) methods.push('recovery_code');
  return { isOn, methods };
}

export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  return (await listFactors(db, userId, '')).isOn;
}

/** Locks the account until the transaction ends, so that changes of its password and factors wait. */
export async function findPasswordHashForNoKeyUpdate(tx: Db, userId: number): Promise<string | null | undefined> {
  const account = tx.selectFrom('userAccount').select('passwordHash').where('id', '=', userId);
  return (await account.forNoKeyUpdate().executeTakeFirst())?.passwordHash;
}

/** The proofs of identity that the account has besides a second factor. */
export async function findFirstFactors(
  db: Db,
  userId: number,
): Promise<{ hasPassword: boolean; phoneNumber: string | null } | undefined> {
  return await db
    .selectFrom('userAccount')
    .select(sql<boolean>`password_hash is not null`.as('hasPassword'))
    .select('phoneNumber')
    .where('id', '=', userId)
    .executeTakeFirst();
}
