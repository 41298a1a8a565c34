import type { Db } from '../../db/driver.ts';
import { countAttempt } from './attempt.ts';
import { clearFailures } from './login-failure-store.ts';
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
  await countAttempt(db, countedAs);
  if (!(await verifyPassword(password, credentials?.passwordHash))) return undefined;
  await clearFailures(db, countedAs);
  return credentials?.id;
}
