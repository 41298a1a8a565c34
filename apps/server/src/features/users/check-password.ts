import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { claimAttempt, clearFailures, lockedSeconds } from './login-failure-store.ts';
import { verifyPassword } from './password-hash.ts';
import type { Credentials } from './user-store.ts';

/**
 * Guards one password check by the failure count kept under `countedAs`. Returns the account's id, or undefined when the
 * password is wrong. Throws `login.locked`. A missing account counts and takes time like any other.
 */
export async function checkPassword(
  db: Db,
  attempt: { countedAs: string; credentials: Credentials | undefined; password: string },
): Promise<number | undefined> {
  const { countedAs, credentials, password } = attempt;
  if (!(await claimAttempt(db, countedAs))) {
    throw new AppError('login.locked', { retryAfterSeconds: await lockedSeconds(db, countedAs) });
  }
  if (!(await verifyPassword(password, credentials?.passwordHash))) return undefined;
  await clearFailures(db, countedAs);
  return credentials?.id;
}
