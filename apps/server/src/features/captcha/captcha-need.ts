import { networkOf } from '@tongtu/base';
import type { CaptchaPurpose } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countEach, findHits, resetAndUndo, undoCount } from '../../http/limits/rate-limit.ts';
import type { HttpCall, Session } from '../../http/session.ts';
import { type TicketUse, useCaptchaTicket } from './ticket.ts';

/** The purposes that need a captcha only after some failures. */
type AttemptPurpose = Extract<CaptchaPurpose, 'login' | 'gate_password' | 'redeem'>;

const FREE_FAILURES: Record<AttemptPurpose, number> = { login: 3, gate_password: 3, redeem: 5 };
const WINDOW_SECONDS = 15 * 60;

/** An attempt to enter a secret from the caller's address. `target` is, for example, the account as it was typed. */
export type Attempt = Omit<TicketUse, 'purpose'> & { purpose: AttemptPurpose; target: string };

/**
 * Counts an attempt as failed before its secret is checked, so that concurrent attempts are all counted. False when a
 * captcha is required: after some failures at the target or from the address within 15 minutes, without a valid ticket
 * (which is used here). Call `resetFailures` after a success. NOTE: call it outside transactions.
 */
export async function allowAttempt(db: Db, attempt: Attempt): Promise<boolean> {
  const allowed = FREE_FAILURES[attempt.purpose];
  const before = await countEach(
    db,
    countsOf(attempt).map((counted) => ({ ...counted, windowSeconds: WINDOW_SECONDS })),
  );
  return before.every((failures) => failures < allowed) || (await useCaptchaTicket(db, attempt));
}

/** After a success: resets the target's count, and takes this attempt back from the address's count. */
export async function resetFailures(db: Db, attempt: Omit<Attempt, 'ticket'>): Promise<void> {
  const [address, target] = countsOf(attempt);
  await resetAndUndo(db, target, address);
}

/** Takes an attempt back that was neither a success nor a wrong secret. */
export async function undoAttempt(db: Db, attempt: Omit<Attempt, 'ticket'>): Promise<void> {
  for (const counted of countsOf(attempt)) await undoCount(db, counted);
}

/** Whether a caller must solve a captcha, as far as the server can know without the target. */
export async function isCaptchaNeeded(
  db: Db,
  { purpose, req, session }: { purpose: CaptchaPurpose; req: HttpCall['req']; session: Session | undefined },
): Promise<boolean> {
  if (purpose === 'sms') return session === undefined;
  return (await findHits(db, addressCount(purpose, req))) >= FREE_FAILURES[purpose];
}

function countsOf({ purpose, req, target }: Omit<Attempt, 'ticket'>) {
  return [addressCount(purpose, req), { name: `failed ${purpose} at`, key: target }] as const;
}

function addressCount(purpose: AttemptPurpose, req: HttpCall['req']) {
  return { name: `failed ${purpose} from`, key: networkOf(req.ip) };
}
