import type { Db } from '../../../db/driver.ts';
import { clearFailures, countAttempt } from '../../../http/limits/failed-attempts.ts';
import { verifyPassword } from './password-hash.ts';
import type { Credentials } from '../user-store.ts';

/** An account and the hash of its password, which was right. */
export type ProvenPassword = { id: number; passwordHash: string };

/**
 * Checks a password and counts a failure under `failureKey`. Returns the account, or undefined when the password is wrong.
 * Throws `login.locked`. A missing account is counted and takes time like any other.
 */
export async function checkPassword(
  db: Db,
  attempt: { failureKey: string; credentials: Credentials | undefined; password: string },
): Promise<ProvenPassword | undefined> {
  const { failureKey, credentials, password } = attempt;
  await countAttempt(db, failureKey);
  const isRight = await verifyPassword(password, credentials?.passwordHash);
  if (!isRight || !credentials || credentials.passwordHash === null) return undefined;
  await clearFailures(db, failureKey);
  return { id: credentials.id, passwordHash: credentials.passwordHash };
}
