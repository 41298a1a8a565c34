import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { claimAttempt, lockedSeconds } from './login-failure-store.ts';

/**
 * Counts a try at a secret before it is looked at. Throws `login.locked` after ten without a success; `clearFailures` is
 * what a success is told to. NOTE: on the database itself: a transaction that is rolled back would take the try back.
 */
export async function countAttempt(db: Db, countedAs: string): Promise<void> {
  if (await claimAttempt(db, countedAs)) return;
  throw new AppError('login.locked', { retryAfterSeconds: await lockedSeconds(db, countedAs) });
}
