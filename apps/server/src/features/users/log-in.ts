import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { CallRequest } from '../../http/session.ts';
import { findPhone, foldName } from '../codes/index.ts';
import { findTrustedBrowser } from '../trusted-browsers/index.ts';
import { checkPassword, type ProvenPassword } from './passwords/check-password.ts';
import { findCredentials, type Credentials } from './user-store.ts';

/** The key under which failed logins are counted; `account` as it was typed, but folded. */
export function loginKey(account: string): string {
  return `name:${account}`;
}

/** The same for a trusted browser (features/trusted-browsers). */
function trustedBrowserKey(browserId: number): string {
  return `browser:${browserId}`;
}

/** Brings a typed account into the one spelling that failures are counted by: a phone number can be written in many ways. */
function foldAccount(account: string, phoneRegions: readonly string[]): string {
  return findPhone(account, phoneRegions) ?? foldName(account);
}

/** The account whose password is checked, if it exists, and the key under which a wrong password is counted. */
export type LoginAttempt = { credentials: Credentials | undefined; failureKey: string };

/** Finds the account that was typed. Time and result do not reveal whether it exists. */
export async function identifyLogin(
  db: Db,
  { account, phoneRegions, req }: { account: string; phoneRegions: readonly string[]; req: CallRequest },
): Promise<LoginAttempt> {
  // The database does not fold again: if the two disagreed about a spelling, it would get a failure count of its own.
  const folded = foldAccount(account, phoneRegions);
  const credentials = await findCredentials(db, { phone: folded, name: foldName(account) });
  const browserId = await findTrustedBrowser(db, credentials?.id, req);
  // A trusted browser has its own count, so that an attacker elsewhere cannot lock the owner out.
  if (browserId !== undefined) return { credentials, failureKey: trustedBrowserKey(browserId) };
  // The count belongs to the typed text: if name and e-mail shared one, it would reveal whose e-mail address it is.
  return { credentials, failureKey: loginKey(folded) };
}

/**
 * Returns the account and the hash of its password, which was right. Throws `login.locked`, or `login.failed` without saying
 * which part was wrong.
 */
export async function logIn(db: Db, attempt: LoginAttempt, password: string): Promise<ProvenPassword> {
  const proven = await checkPassword(db, { ...attempt, password });
  if (!proven) throw new AppError('login.failed');
  return proven;
}
