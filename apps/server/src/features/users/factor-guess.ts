import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { clearFailures, clearFailuresByPrefix, countAttempt } from '../../http/limits/failed-attempts.ts';
import { type Counted, sumHits, countOne, undoCount } from '../../http/limits/rate-limit.ts';
import { listSessionIds } from '../sessions/index.ts';

// Of a million codes three are right at a time: 40 a day are 1 in 8 000.
const MAX_A_DAY = 40;
const DAY_SECONDS = 86_400;

/**
 * A code of the account's second factor that somebody types. Strangers who have the password do so at the login: what they
 * use up there must not keep the owner, who is logged in, from confirming. Nor must what a stranger has typed in a session
 * that the owner has ended since: so each session has its count, and those that live are added up.
 */
export type FactorGuess = { userId: number } & ({ at: 'login' } | { at: 'confirm'; sessionId: number });

/**
 * Counts a typed code before it is looked at. Throws `second-factor.locked` after 40 wrong ones in a day, and `login.locked`
 * after ten in a row; what is refused does not count.
 * NOTE: count on the database itself: a transaction that is rolled back would take it back.
 */
export async function countFactorGuess(db: Db, guess: FactorGuess): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Of guesses in several sessions at once each finds those before it counted.
    await lockUserForNoKeyUpdate(tx, guess.userId);
    const { hits, firstEndsInSeconds } = await sumHits(tx, await listDaysOf(tx, guess));
    if (hits >= MAX_A_DAY) throw new AppError('second-factor.locked', { retryAfterSeconds: firstEndsInSeconds });
    await countAttempt(tx, inARow(guess));
    await countOne(tx, { ...ofTheDay(guess), windowSeconds: DAY_SECONDS });
  });
}

/** Takes a right one back. */
export async function forgetFactorGuess(db: Db, guess: FactorGuess): Promise<void> {
  await clearFailures(db, inARow(guess));
  await undoCount(db, ofTheDay(guess));
}

/**
 * Ends the wait after ten in a row. At the login the day's count stays: who has the phone could reset, and guess, all day.
 */
export async function endFactorWaits(db: Db, userId: number): Promise<void> {
  await clearFailures(db, inARow({ userId, at: 'login' }));
  await clearFailuresByPrefix(db, `second:confirm:${userId}:`);
}

/** What is counted against the guess's day: of its own session even when that was ended this moment. */
async function listDaysOf(tx: Db, guess: FactorGuess): Promise<Counted[]> {
  if (guess.at === 'login') return [ofTheDay(guess)];
  const sessionIds = new Set([guess.sessionId, ...(await listSessionIds(tx, guess.userId))]);
  return [...sessionIds].map((sessionId) => ofTheDay({ ...guess, sessionId }));
}

function inARow(guess: FactorGuess): string {
  return guess.at === 'login' ? `second:login:${guess.userId}` : `second:confirm:${guess.userId}:${guess.sessionId}`;
}

function ofTheDay(guess: FactorGuess): Counted {
  const { userId } = guess;
  const key = guess.at === 'login' ? `login ${userId}` : `confirm ${userId} ${guess.sessionId}`;
  return { name: 'second-factor', key };
}
