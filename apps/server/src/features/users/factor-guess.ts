import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { clearFailures, clearFailuresByPrefix, countAttempt } from '../../http/limits/failed-attempts.ts';
import { type Counted, sumHits, countOne, undoCount } from '../../http/limits/rate-limit.ts';
import { listSessionIds } from '../sessions/index.ts';

// Three of a million codes are right at a time, so 40 guesses a day succeed with a probability of 1 in 8 000.
const MAX_PER_DAY = 40;
const DAY_SECONDS = 86_400;

/**
 * A code of the account's second factor that somebody types. The login and each session have a count of their own, and the
 * counts of live sessions are added up. An attacker who has the password, or a session that the owner has ended, therefore
 * cannot keep the owner from confirming.
 */
export type FactorGuess = { userId: number } & ({ at: 'login' } | { at: 'confirm'; sessionId: number });

/**
 * Counts a typed code before it is checked. Throws `second-factor.locked` after 40 wrong ones in a day, and `login.locked`
 * after ten in a row; a refused guess does not count.
 * NOTE: call it outside of transactions: a rollback would undo the count.
 */
export async function countFactorGuess(db: Db, guess: FactorGuess): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Concurrent guesses of several sessions wait here, so each sees the counts of those before it.
    await lockUserForNoKeyUpdate(tx, guess.userId);
    const { hits, firstEndsInSeconds } = await sumHits(tx, await listDailyCounts(tx, guess));
    if (hits >= MAX_PER_DAY) throw new AppError('second-factor.locked', { retryAfterSeconds: firstEndsInSeconds });
    await countAttempt(tx, consecutiveKey(guess));
    await countOne(tx, { ...dailyCount(guess), windowSeconds: DAY_SECONDS });
  });
}

/** Undoes the count of a right guess. */
export async function clearFactorGuess(db: Db, guess: FactorGuess): Promise<void> {
  await clearFailures(db, consecutiveKey(guess));
  await undoCount(db, dailyCount(guess));
}

/**
 * Ends the lock after ten wrong guesses in a row. The day's count at the login stays: otherwise somebody who has the phone
 * could reset the password and guess all day.
 */
export async function clearFactorLocks(db: Db, userId: number): Promise<void> {
  await clearFailures(db, consecutiveKey({ userId, at: 'login' }));
  await clearFailuresByPrefix(db, `second:confirm:${userId}:`);
}

/** The counts that the day's limit adds up. They include the guess's own session even if it has just been ended. */
async function listDailyCounts(tx: Db, guess: FactorGuess): Promise<Counted[]> {
  if (guess.at === 'login') return [dailyCount(guess)];
  const sessionIds = new Set([guess.sessionId, ...(await listSessionIds(tx, guess.userId))]);
  return [...sessionIds].map((sessionId) => dailyCount({ ...guess, sessionId }));
}

function consecutiveKey(guess: FactorGuess): string {
  return guess.at === 'login' ? `second:login:${guess.userId}` : `second:confirm:${guess.userId}:${guess.sessionId}`;
}

function dailyCount(guess: FactorGuess): Counted {
  const { userId } = guess;
  const key = guess.at === 'login' ? `login ${userId}` : `confirm ${userId} ${guess.sessionId}`;
  return { name: 'second-factor', key };
}
