import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { checkPassword } from './check-password.ts';
import { loginKey } from './login-failure-store.ts';
import { findCredentials } from './user-store.ts';

/** An account as it is typed, in the one spelling that it is looked up and counted by. */
export function foldAccount(account: string): string {
  return account.normalize('NFC').toLowerCase();
}

/** Returns the account's id. Throws `login.failed` without saying which part was wrong, or `login.locked`. */
export async function logIn(db: Db, input: { account: string; password: string }): Promise<number> {
  // Folded here and not again by the database: a spelling that only one of them took for the same would get its own count.
  const account = foldAccount(input.account);
  const { password } = input;
  const credentials = await findCredentials(db, account);
  // Counted by what was typed: a count shared with the account's e-mail would tell whose e-mail it is.
  const countedAs = loginKey(account);
  const userId = await checkPassword(db, { countedAs, credentials, password });
  if (userId === undefined) throw new AppError('login.failed');
  return userId;
}
