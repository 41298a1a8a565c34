import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { checkPassword } from './check-password.ts';
import { takeHashTurn, turnOf } from './hash-turns.ts';
import { ownPasswordKey } from './login-failure-store.ts';
import { findCredentialsById } from './user-store.ts';

/** Asks somebody who is logged in for their password again. Throws `password.wrong`, `login.locked` or `request.too-many`. */
export async function checkOwnPassword(db: Db, userId: number, password: string): Promise<void> {
  const credentials = await findCredentialsById(db, userId);
  const attempt = { countedAs: ownPasswordKey(userId), credentials, password };
  // The turn goes around the counting: whoever is refused one has not failed.
  const proven = await takeHashTurn(turnOf(userId), async () => await checkPassword(db, attempt));
  if (proven === undefined) throw new AppError('password.wrong');
}
