import { networkOf, siteOf } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { hashSecret } from '../../hash-secret.ts';
import { countAgainstAll } from '../../http/limits/rate-limit.ts';
import type { Mailer } from '../mail/index.ts';
import { passwordMail } from './link-mails.ts';
import { findAccountByEmail, insertInvitation } from './invitation-store.ts';
import { createInvitationToken, invitationUrl } from './invitation-token.ts';

export type ForgottenDeps = { db: Db; log: Logger; publicUrl: string; mailer: Mailer | undefined };

const VALID_HOURS = 1;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/**
 * Sends the account of this address a link for another password. Answers, and counts, alike whether or not there is one.
 * Throws `mail.unavailable`, `code.too-often` or `code.daily-limit`.
 */
export async function requestPasswordMail(deps: ForgottenDeps, { email, ip }: { email: string; ip: string }) {
  const { mailer, log } = deps;
  if (!mailer) throw new AppError('mail.unavailable');
  const key = email.toLowerCase();
  const network = networkOf(ip);
  const from = { name: 'password mails from, hourly', key: network, max: 20, windowSeconds: HOUR_SECONDS };
  const pause = { name: 'password mails to, pause', key, max: 1, windowSeconds: MINUTE_SECONDS };
  // Counted by network first, so that nobody uses up the mails of another person's address from one place.
  const place = `${key} ${siteOf(ip) ?? network}`;
  const dailyFrom = { name: 'password mails to and from, daily', key: place, max: 5, windowSeconds: DAY_SECONDS };
  const daily = { name: 'password mails to, daily', key, max: 20, windowSeconds: DAY_SECONDS };
  await countAgainstAll(deps.db, [
    { limit: from, code: 'code.too-often' },
    { limit: pause, code: 'code.too-often' },
    { limit: dailyFrom, code: 'code.daily-limit' },
    { limit: daily, code: 'code.daily-limit' },
  ]);
  // Not awaited: the time of the answer would say whether there is an account.
  void sendIfKnown(deps, mailer, email).catch((err: unknown) => log.error({ err }, 'a password mail was not sent'));
}

async function sendIfKnown({ db, publicUrl }: ForgottenDeps, mailer: Mailer, email: string): Promise<void> {
  const account = await findAccountByEmail(db, email);
  if (account === undefined) return;
  const token = createInvitationToken();
  const link = { tokenHash: hashSecret(token), purpose: 'password', userId: account.id, email: account.email } as const;
  // Earlier links stay valid: anybody can ask for another. The first one that is used ends them all.
  await insertInvitation(db, { ...link, invitedBy: null }, VALID_HOURS);
  const url = invitationUrl(publicUrl, token);
  await mailer.send(passwordMail({ to: account.email, url, username: account.username, validHours: VALID_HOURS }));
}
