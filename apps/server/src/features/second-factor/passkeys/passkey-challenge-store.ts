import { AppError } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../../db/driver.ts';

type ChallengePurpose = 'register' | 'confirm' | 'login';

/** Whose challenge it is, and what it was made for: a session, or a login that waits for its second step. */
export type ChallengeBinding = { boundTo: Buffer; purpose: ChallengePurpose; userId: number };

/** Counts for five minutes, in place of one asked for before. */
export async function keepChallenge(db: Db, binding: ChallengeBinding, challenge: string): Promise<void> {
  const fresh = { challenge, userId: binding.userId, expiresAt: sql<Date>`now() + interval '5 minutes'` };
  await db
    .insertInto('passkeyChallenge')
    .values({ ...binding, ...fresh })
    .onConflict((conflict) => conflict.columns(['boundTo', 'purpose']).doUpdateSet(fresh))
    .execute();
}

/** Uses the challenge up: each is for one answer. Throws `second-factor.expired` where none is waited for. */
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

export async function deleteExpiredChallenges(db: Db): Promise<void> {
  await db
    .deleteFrom('passkeyChallenge')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
}
