import { networkOf } from '@tongtu/base';
import type { CaptchaPurpose } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { countEach, findHits, lockHits, resetAndUndo, resetCount } from '../../http/limits/rate-limit.ts';
import type { HttpCall, Session } from '../../http/session.ts';
import { type TicketUse, useCaptchaTicket } from './ticket.ts';

/** The purposes that need a captcha only after some failures. */
type AttemptPurpose = Extract<CaptchaPurpose, 'login' | 'gate_password' | 'redeem'>;

/** Who redeems a key is known, so an address, which many may share, has more tries than one account. */
const FREE_FAILURES: Record<AttemptPurpose, { fromAddress: number; atTarget: number }> = {
  login: { fromAddress: 3, atTarget: 3 },
  gate_password: { fromAddress: 3, atTarget: 3 },
  redeem: { fromAddress: 100, atTarget: 5 },
};
const WINDOW_SECONDS = 15 * 60;

/** An attempt to enter a secret from the caller's address. `target` is, for example, the account as it was typed. */
export type Attempt = Omit<TicketUse, 'purpose'> & { purpose: AttemptPurpose; target: string };

/**
 * Counts an attempt as failed before its secret is checked, so that concurrent attempts are all counted. False when a
 * captcha is required: after some failures at the target or from the address within 15 minutes, without a valid ticket
 * (which is used here). Call `resetFailures` after a success. NOTE: call it outside transactions.
 */
export async function allowAttempt(db: Db, attempt: Attempt): Promise<boolean> {
  const before = await countEach(db, windowsOf(attempt));
  return isFree(attempt.purpose, before) || (await useCaptchaTicket(db, attempt));
}

/**
 * Like `allowAttempt` for a target whose attempts run one after the other, because the transaction has locked it. It counts
 * nothing: call `countFailure` after a wrong secret, in the same transaction. Attempts from one address run one after the
 * other, too, once there was a failure. Before the first one, no more run at once than a server has connections to the
 * database.
 */
export async function allowLockedAttempt(tx: Db, attempt: Attempt): Promise<boolean> {
  return isFree(attempt.purpose, await lockHits(tx, countsOf(attempt))) || (await useCaptchaTicket(tx, attempt));
}

/** Counts a wrong secret after `allowLockedAttempt`. */
export async function countFailure(tx: Db, attempt: Omit<Attempt, 'ticket'>): Promise<void> {
  await countEach(tx, windowsOf(attempt));
}

/** Resets the target's count after `allowLockedAttempt` and a success. */
export async function resetTarget(tx: Db, attempt: Omit<Attempt, 'ticket'>): Promise<void> {
  await resetCount(tx, countsOf(attempt)[1]);
}

/** After a success: resets the target's count, and takes this attempt back from the address's count. */
export async function resetFailures(db: Db, attempt: Omit<Attempt, 'ticket'>): Promise<void> {
  const [address, target] = countsOf(attempt);
  await resetAndUndo(db, target, address);
}

/**
 * Whether a caller must solve a captcha, as far as the server can know: the target only where it is the caller's account.
 */
export async function isCaptchaNeeded(
  db: Db,
  { purpose, req, session }: { purpose: CaptchaPurpose; req: HttpCall['req']; session: Session | undefined },
): Promise<boolean> {
  if (purpose === 'sms') return session === undefined;
  const target = purpose === 'redeem' ? session?.userId : undefined;
  const [from, at] = countsOf({ purpose, req, target: String(target) });
  const failures = [await findHits(db, from), target === undefined ? 0 : await findHits(db, at)];
  return !isFree(purpose, failures);
}

function isFree(purpose: AttemptPurpose, [fromAddress = 0, atTarget = 0]: readonly number[]): boolean {
  const free = FREE_FAILURES[purpose];
  return fromAddress < free.fromAddress && atTarget < free.atTarget;
}

function windowsOf(attempt: Omit<Attempt, 'ticket'>) {
  return countsOf(attempt).map((counted) => ({ ...counted, windowSeconds: WINDOW_SECONDS }));
}

function countsOf({ purpose, req, target }: Omit<Attempt, 'ticket'>) {
  return [
    { name: `failed ${purpose} from`, key: networkOf(req.ip) },
    { name: `failed ${purpose} at`, key: target },
  ] as const;
}
