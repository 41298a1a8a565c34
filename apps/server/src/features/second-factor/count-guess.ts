import type { Db } from '../../db/driver.ts';
import { countAgainst, takeCountBack } from '../../http/rate-limit.ts';
import { countAttempt, forgetAttempts } from '../users/index.ts';
import type { FactorProof } from './use-factor.ts';

// Whoever has the password may type 40 of a million codes a day, of which three are right at a time: 1 in 8 000.
const MAX_TYPED_A_DAY = 40;
const DAY_SECONDS = 86_400;

/**
 * Counts a second factor before it is looked at. Throws `login.locked` after ten wrong ones in a row and
 * `second-factor.locked` after 40 that were typed in a day; a passkey cannot be guessed.
 * NOTE: count on the database itself: a transaction that is rolled back would take it back.
 */
export async function countGuess(db: Db, userId: number, proof: FactorProof): Promise<void> {
  await countAttempt(db, rowKey(userId));
  if (!('passkey' in proof)) {
    await countAgainst(
      db,
      { ...typed(userId), max: MAX_TYPED_A_DAY, windowSeconds: DAY_SECONDS },
      'second-factor.locked',
    );
  }
}

/** Takes a right one back. */
export async function forgetGuess(db: Db, userId: number, proof: FactorProof): Promise<void> {
  await forgetAttempts(db, rowKey(userId));
  if (!('passkey' in proof)) await takeCountBack(db, typed(userId));
}

function rowKey(userId: number): string {
  return `second:${userId}`;
}

function typed(userId: number) {
  return { name: 'second-factor', key: String(userId) };
}
