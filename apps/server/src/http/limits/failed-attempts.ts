import { AppError, type ErrorCode } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { claimAttempt, findLockedSeconds } from './failed-attempt-store.ts';

export { clearFailures, clearFailuresByPrefix, deleteOldFailures } from './failed-attempt-store.ts';

const LOCK_MINUTES = 15;

/**
 * Counts an attempt as failed before the secret is compared, so that of concurrent attempts at most ten are compared.
 * After ten failures in a row it throws `code` for `lockMinutes`, at most 60. After a success, `clearFailures` resets the
 * count.
 * NOTE: do not call it in a transaction that may be rolled back, because that would undo the count.
 */
export async function countAttempt(
  db: Db,
  key: string,
  code: ErrorCode = 'login.locked',
  lockMinutes = LOCK_MINUTES,
): Promise<void> {
  if (!(await claimAttempt(db, key, lockMinutes))) throw locked(await findLockedSeconds(db, key), code);
}

/** Throws like `countAttempt`, but counts nothing. */
export async function checkUnlocked(db: Db, key: string, code: ErrorCode): Promise<void> {
  const seconds = await findLockedSeconds(db, key);
  if (seconds > 0) throw locked(seconds, code);
}

function locked(seconds: number, code: ErrorCode): AppError {
  // 0 if the lock ended after the attempt was refused.
  return new AppError(code, { retryAfterSeconds: Math.max(seconds, 1) });
}
