import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import { type Counted, sumHits, countOne, resetCount } from '../../../http/limits/rate-limit.ts';
import { listSessionIds } from '../../sessions/index.ts';

const MAX_WRONG = 10;
const WINDOW_SECONDS = 15 * 60;

/**
 * The account's password that somebody who is logged in types. Each session has its count, and those that live are added
 * up: several have no more guesses than one, and what a stranger has typed goes when the owner ends their session.
 */
export type PasswordGuess = { userId: number; sessionId: number };

/**
 * Counts a password before it is looked at. Throws `login.locked` after ten wrong ones within a quarter of an hour; what is
 * refused does not count. NOTE: count on the database itself: a transaction that is rolled back would take it back.
 */
export async function countPasswordGuess(db: Db, guess: PasswordGuess): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Of guesses in several sessions at once each finds those before it counted.
    await lockUserForNoKeyUpdate(tx, guess.userId);
    // Its own session counts even when that was ended this moment.
    const sessionIds = new Set([guess.sessionId, ...(await listSessionIds(tx, guess.userId))]);
    const counts = [...sessionIds].map((sessionId) => countOf({ ...guess, sessionId }));
    const { hits, firstEndsInSeconds } = await sumHits(tx, counts);
    if (hits >= MAX_WRONG) throw new AppError('login.locked', { retryAfterSeconds: firstEndsInSeconds });
    await countOne(tx, { ...countOf(guess), windowSeconds: WINDOW_SECONDS });
  });
}

/** After a right one the session starts anew. */
export async function forgetPasswordGuesses(db: Db, guess: PasswordGuess): Promise<void> {
  await resetCount(db, countOf(guess));
}

function countOf({ userId, sessionId }: PasswordGuess): Counted {
  return { name: 'own password', key: `${userId} ${sessionId}` };
}
