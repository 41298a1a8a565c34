import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import { type Counted, sumHits, countOne, resetCount } from '../../../http/limits/rate-limit.ts';
import { listSessionIds } from '../../sessions/index.ts';

const MAX_WRONG = 10;
const WINDOW_SECONDS = 15 * 60;

/**
 * The account's password, typed in a session. Each session has its count, and the counts of live sessions are added up:
 * several sessions have no more guesses than one, and an attacker's guesses stop counting when the owner ends their session.
 */
export type PasswordGuess = { userId: number; sessionId: number };

/**
 * Counts a password before it is checked. Throws `login.locked` after ten wrong ones within 15 minutes; a refused guess does
 * not count. NOTE: call it outside of transactions: a rollback would undo the count.
 */
export async function countPasswordGuess(db: Db, guess: PasswordGuess): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Concurrent guesses of several sessions wait here, so each sees the counts of those before it.
    await lockUserForNoKeyUpdate(tx, guess.userId);
    // The guess's own session counts even if it has just been ended.
    const sessionIds = new Set([guess.sessionId, ...(await listSessionIds(tx, guess.userId))]);
    const counts = [...sessionIds].map((sessionId) => countOf({ ...guess, sessionId }));
    const { hits, firstEndsInSeconds } = await sumHits(tx, counts);
    if (hits >= MAX_WRONG) throw new AppError('login.locked', { retryAfterSeconds: firstEndsInSeconds });
    await countOne(tx, { ...countOf(guess), windowSeconds: WINDOW_SECONDS });
  });
}

/** Deletes the session's count after a right password. */
export async function clearPasswordGuesses(db: Db, guess: PasswordGuess): Promise<void> {
  await resetCount(db, countOf(guess));
}

function countOf({ userId, sessionId }: PasswordGuess): Counted {
  return { name: 'own password', key: `${userId} ${sessionId}` };
}
