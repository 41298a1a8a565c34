import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findPhone } from '../codes/index.ts';
import { checkPassword, type ProvenPassword } from './check-password.ts';
import { loginKey } from './login-failure-store.ts';
import { findCredentials } from './user-store.ts';

/** An account as it is typed, in the one spelling that it is counted by: a phone number can be written in many ways. */
export function foldAccount(account: string, phoneRegions: readonly string[]): string {
  return findPhone(account, phoneRegions) ?? foldName(account);
}

/** Returns the account, with the hash of the password that was right. Throws `login.failed` without saying which part was wrong, or `login.locked`. */
export async function logIn(
  db: Db,
  input: { account: string; password: string; phoneRegions: readonly string[] },
): Promise<ProvenPassword> {
  // Folded here and not again by the database: a spelling that only one of them took for the same would get its own count.
  const account = foldAccount(input.account, input.phoneRegions);
  const { password } = input;
  const credentials = await findCredentials(db, { phone: account, name: foldName(input.account) });
  // Counted by what was typed: a count shared with the account's e-mail would tell whose e-mail it is.
  const countedAs = loginKey(account);
  const proven = await checkPassword(db, { countedAs, credentials, password });
  if (!proven) throw new AppError('login.failed');
  return proven;
}

function foldName(account: string): string {
  return account.normalize('NFC').toLowerCase();
}
