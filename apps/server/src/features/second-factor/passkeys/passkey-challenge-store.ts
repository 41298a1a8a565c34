import { AppError } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';
import { hashSecret } from '../../../hash-secret.ts';

type ChallengePurpose = 'register' | 'confirm' | 'login';

/** The user of a challenge, its purpose, and what it is bound to: the hash of a session's id or of a login step's token. */
export type ChallengeBinding = { boundTo: Buffer; purpose: ChallengePurpose; userId: number };

const inFiveMinutes = sql<Date>`now() + interval '5 minutes'`;

/** Stores a challenge for five minutes, in place of an earlier one of the same binding. */
export async function upsertChallenge(db: Db, binding: ChallengeBinding, challenge: string): Promise<void> {
  const fresh = { challenge, userId: binding.userId, expiresAt: inFiveMinutes };
  await db
    .insertInto('passkeyChallenge')
    .values({ ...binding, ...fresh })
    .onConflict((conflict) => conflict.columns(['boundTo', 'purpose']).doUpdateSet(fresh))
    .execute();
}

/** Deletes and returns the challenge, because each is for one answer. Throws `second-factor.expired` when there is none. */
export async function claimChallenge(db: Db, binding: ChallengeBinding): Promise<string> {
  const row = await db
    .deleteFrom('passkeyChallenge')
    .where('boundTo', '=', binding.boundTo)
    .where('purpose', '=', binding.purpose)
    .where('userId', '=', binding.userId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('challenge')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('second-factor.expired');
  return row.challenge;
}

/** Stores the challenge of a login by a passkey alone for five minutes. A browser may have several, one for each tab. */
export async function insertLoginChallenge(db: Db, browserHash: Buffer, challenge: string): Promise<void> {
  const boundTo = loginBinding(browserHash, challenge);
  await db
    .insertInto('passkeyChallenge')
    .values({ boundTo, purpose: 'passkey_login', userId: null, challenge, expiresAt: inFiveMinutes })
    .execute();
}

/** Deletes the challenge, because each is for one answer. Returns whether this browser had it. */
export async function claimLoginChallenge(db: Db, browserHash: Buffer, challenge: string): Promise<boolean> {
  const row = await db
    .deleteFrom('passkeyChallenge')
    .where('boundTo', '=', loginBinding(browserHash, challenge))
    .where('purpose', '=', 'passkey_login')
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning('challenge')
    .executeTakeFirst();
  return row !== undefined;
}

function loginBinding(browserHash: Buffer, challenge: string): Buffer {
  return hashSecret(`${browserHash.toString('base64url')}.${challenge}`);
}

export async function deleteExpiredPasskeyChallenges(db: Db): Promise<void> {
  await db
    .deleteFrom('passkeyChallenge')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}
