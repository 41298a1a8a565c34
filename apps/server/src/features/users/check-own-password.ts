import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { checkPassword } from './check-password.ts';
import { findCredentialsById } from './user-store.ts';

/** Asks somebody who is logged in for their password again. Throws `password.wrong` or `login.locked`. */
export async function checkOwnPassword(db: Db, userId: number, password: string): Promise<void> {
  const credentials = await findCredentialsById(db, userId);
  const attempt = { countedAs: `user:${userId}`, credentials, password };
  if ((await checkPassword(db, attempt)) === undefined) throw new AppError('password.wrong');
}
