import { networkOf } from '@tongtu/base';
import type { CaptchaPurpose } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countedSoFar, countOne, forgetCount, takeCountBack } from '../../http/rate-limit.ts';
import type { HttpCall, Session } from '../../http/session.ts';
import { type TicketUse, useCaptchaTicket } from './ticket.ts';

/** What people do without a captcha until they have failed some times. */
type AttemptPurpose = Extract<CaptchaPurpose, 'login' | 'gate_password' | 'redeem'>;

const FREE_FAILURES: Record<AttemptPurpose, number> = { login: 3, gate_password: 3, redeem: 5 };
const WINDOW_SECONDS = 15 * 60;

/** A try at a secret: from the caller's address, at `target`, e.g. the account as it was typed. */
export type Attempt = Omit<TicketUse, 'purpose'> & { purpose: AttemptPurpose; target: string };

/**
 * Counts a try as failed before its secret is looked at, however many come at once. False when a captcha must be solved
 * first: after some failures at the target or from the address within 15 minutes, unless the ticket is good (then it is
 * used up). A success is told to `forgetFailures`. NOTE: on the database itself, not in a transaction.
 */
export async function mayTry(db: Db, attempt: Attempt): Promise<boolean> {
  const allowed = FREE_FAILURES[attempt.purpose];
  const before = [];
  for (const counted of countsOf(attempt)) {
    before.push(await countOne(db, { ...counted, windowSeconds: WINDOW_SECONDS }));
  }
  return before.every((failures) => failures < allowed) || (await useCaptchaTicket(db, attempt));
}

/** After a success: the target starts anew; of what is counted for the address only this try was none. */
export async function forgetFailures(db: Db, attempt: Omit<Attempt, 'ticket'>): Promise<void> {
  const [address, target] = countsOf(attempt);
  await takeCountBack(db, address);
  await forgetCount(db, target);
}

/** Whether a caller must solve a captcha, as far as it is known before they say what they are after. */
export async function isCaptchaNeeded(
  db: Db,
  { purpose, req, session }: { purpose: CaptchaPurpose; req: HttpCall['req']; session: Session | undefined },
): Promise<boolean> {
  if (purpose === 'sms') return session === undefined;
  return (await countedSoFar(db, addressCount(purpose, req))) >= FREE_FAILURES[purpose];
}

function countsOf({ purpose, req, target }: Omit<Attempt, 'ticket'>) {
  return [addressCount(purpose, req), { name: `failed ${purpose} at`, key: target }] as const;
}

function addressCount(purpose: AttemptPurpose, req: HttpCall['req']) {
  return { name: `failed ${purpose} from`, key: networkOf(req.ip) };
}
