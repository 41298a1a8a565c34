import { AppError } from '@tongtu/contract';
import { isDisabled } from '../../db/account-state.ts';
import type { Db } from '../../db/driver.ts';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { userAgentOf } from '../../http/browser/user-agent.ts';
import { notifyOfLogin } from '../alerts/index.ts';
import { setSessionCookie, type SessionDeps, startSession } from '../sessions/index.ts';
import { setTrustCookie, trustBrowser } from '../trusted-browsers/index.ts';
import { recordLogin } from '../users/index.ts';

/** What the browser's cookies are set to after the login's transaction has been committed. */
export type NewSession = { sessionId: string; trust: string };

type FinishedLogin = {
  userId: number;
  /** The login has proven all that a confirmation asks for. */
  isConfirmed: boolean;
  /** The user has chosen that this browser skips the second step for a while. */
  skipsSecondStep?: boolean | undefined;
};

/** Throws `user.disabled`. Call it after the first step, so that only the account's owner reads it. */
export async function assertMayLogIn(tx: Db, userId: number): Promise<void> {
  if (await isDisabled(tx, userId)) throw new AppError('user.disabled');
}

/**
 * Starts the session of a login that has passed all its steps, and trusts the browser. Call it in a transaction that has
 * locked the account. Throws `user.disabled`.
 */
export async function startLoginSession(
  tx: Db,
  { userId, isConfirmed, skipsSecondStep }: FinishedLogin,
  req: CallRequest,
): Promise<NewSession> {
  await assertMayLogIn(tx, userId);
  await recordLogin(tx, userId);
  await notifyOfLogin(tx, { userId, ip: req.ip, userAgent: userAgentOf(req) }, req.log);
  const sessionId = await startSession(tx, userId, req, { isConfirmed });
  return { sessionId, trust: await trustBrowser(tx, { userId, sessionId, skipsSecondStep }, req) };
}

export function setLoginCookies(
  deps: Pick<SessionDeps, 'csrfKey'>,
  { sessionId, trust }: NewSession,
  call: HttpCall,
): void {
  setSessionCookie(deps, sessionId, call);
  setTrustCookie(trust, call);
}
