import type { Db } from '../../db/driver.ts';
import { checkRoom, countAgainst, takeCountBack } from '../../http/rate-limit.ts';
import { countAttempt } from './attempt.ts';
import { clearFailures } from './login-failure-store.ts';

// Of a million codes three are right at a time: 40 a day are 1 in 8 000.
const MAX_A_DAY = 40;
const DAY_SECONDS = 86_400;
const places = ['login', 'confirm'] as const;

/**
 * A code of the account's second factor that somebody types. Strangers who have the password do so at the login: what they
 * use up there must not keep the owner, who is logged in, from confirming.
 */
export type FactorGuess = { userId: number; at: (typeof places)[number] };

/**
 * Counts a typed code before it is looked at. Throws `second-factor.locked` after 40 wrong ones in a day, and `login.locked`
 * after ten in a row; what is refused does not count.
 * NOTE: count on the database itself: a transaction that is rolled back would take it back.
 */
export async function countFactorGuess(db: Db, guess: FactorGuess): Promise<void> {
  const limit = { ...ofTheDay(guess), max: MAX_A_DAY, windowSeconds: DAY_SECONDS };
  await checkRoom(db, limit, 'second-factor.locked');
  await countAttempt(db, inARow(guess));
  await countAgainst(db, limit, 'second-factor.locked');
}

/** Takes a right one back. */
export async function forgetFactorGuess(db: Db, guess: FactorGuess): Promise<void> {
  await clearFailures(db, inARow(guess));
  await takeCountBack(db, ofTheDay(guess));
}

/** Ends the wait after ten in a row. The day's count stays: who has the phone could reset, and guess, all day. */
export async function endFactorWaits(db: Db, userId: number): Promise<void> {
  for (const at of places) await clearFailures(db, inARow({ userId, at }));
}

function inARow({ userId, at }: FactorGuess): string {
  return `second:${at}:${userId}`;
}

function ofTheDay({ userId, at }: FactorGuess) {
  return { name: 'second-factor', key: `${at} ${userId}` };
}
