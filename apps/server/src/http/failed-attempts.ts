import { AppError, type ErrorCode } from '@tongtu/contract';
import type { Db } from '../db/driver.ts';
import { claimAttempt, findLockedSeconds } from './failed-attempt-store.ts';

export { clearFailures, clearFailuresBelow, deleteOldFailures } from './failed-attempt-store.ts';

/**
 * Counts a try at a secret as failed before the secret is looked at, so that however many come at once, only ten are ever
 * tried. Throws `code` for 15 minutes after ten in a row; after a success, `clearFailures` takes the count back.
 * NOTE: on the database itself: a transaction that is rolled back would take the try back.
 */
export async function countAttempt(db: Db, key: string, code: ErrorCode = 'login.locked'): Promise<void> {
  if (!(await claimAttempt(db, key))) throw locked(await findLockedSeconds(db, key), code);
}

/** Throws as `countAttempt` would, and counts nothing. */
export async function checkUnlocked(db: Db, key: string, code: ErrorCode): Promise<void> {
  const seconds = await findLockedSeconds(db, key);
  if (seconds > 0) throw locked(seconds, code);
}

function locked(seconds: number, code: ErrorCode): AppError {
  // The lock may have ended since the attempt was refused.
  return new AppError(code, { retryAfterSeconds: Math.max(seconds, 1) });
}
