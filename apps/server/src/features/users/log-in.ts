import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { CallRequest } from '../../http/session.ts';
import { findPhone, foldName } from '../codes/index.ts';
import { findTrustedBrowser } from '../trusted-browsers/index.ts';
import { checkPassword, type ProvenPassword } from './passwords/check-password.ts';
import { findCredentials, type Credentials } from './user-store.ts';

/** What failed logins are counted under; `account` as it was typed, but folded. */
export function loginKey(account: string): string {
  return `name:${account}`;
}

/** The same of a browser in which the account's owner has logged in before (features/trusted-browsers). */
function trustedKey(browserId: number): string {
  return `browser:${browserId}`;
}

/** An account as it is typed, in the one spelling that it is counted by: a phone number can be written in many ways. */
function foldAccount(account: string, phoneRegions: readonly string[]): string {
  return findPhone(account, phoneRegions) ?? foldName(account);
}

/** Who is asked for the password, if anybody, and under what a wrong one is counted. */
export type LoginTry = { credentials: Credentials | undefined; countedAs: string };

/** Whom somebody means by what they typed. Takes as long, and looks the same, whoever that is. */
export async function findLoginTry(
  db: Db,
  { account, phoneRegions, req }: { account: string; phoneRegions: readonly string[]; req: CallRequest },
): Promise<LoginTry> {
  // Folded here and not again by the database: a spelling that only one of them took for the same would get its own count.
  const folded = foldAccount(account, phoneRegions);
  const credentials = await findCredentials(db, { phone: folded, name: foldName(account) });
  const browserId = await findTrustedBrowser(db, credentials?.id, req);
  // Where the account's owner has logged in before, wrong passwords of strangers elsewhere must not keep them out.
  if (browserId !== undefined) return { credentials, countedAs: trustedKey(browserId) };
  // Counted by what was typed: a count shared with the account's e-mail would tell whose e-mail it is.
  return { credentials, countedAs: loginKey(folded) };
}

/** Returns the account, with the hash of the password that was right. Throws `login.failed` without saying which part was wrong, or `login.locked`. */
export async function logIn(db: Db, attempt: LoginTry, password: string): Promise<ProvenPassword> {
  const proven = await checkPassword(db, { ...attempt, password });
  if (!proven) throw new AppError('login.failed');
  return proven;
}
