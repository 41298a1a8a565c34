import { AppError } from '@tongtu/contract';
import { isDisabled } from '../../db/account-state.ts';
import type { Db } from '../../db/driver.ts';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { userAgentOf } from '../../http/user-agent.ts';
import { tellOfLogin } from '../alerts/index.ts';
import { handSessionOut, type SessionDeps, startSession } from '../sessions/index.ts';
import { recordLogin } from '../users/index.ts';
import { handTrustOut, trustBrowser } from '../trusted-browsers/index.ts';

/** What the browser gets of a login when it has been committed. */
export type BegunSession = { sessionId: string; trust: string };

/** Throws `user.disabled`. Said only to somebody who has proven that the account is theirs. */
export async function assertMayLogIn(tx: Db, userId: number): Promise<void> {
  if (await isDisabled(tx, userId)) throw new AppError('user.disabled');
}

/**
 * Starts the session of a login that has passed all its steps, as `startSession` does, and knows the browser again. To be
 * run in a transaction that has locked the account.
 */
export async function beginSession(tx: Db, userId: number, req: CallRequest): Promise<BegunSession> {
  await assertMayLogIn(tx, userId);
  await recordLogin(tx, userId);
  await tellOfLogin(tx, { userId, ip: req.ip, userAgent: userAgentOf(req) }, req.log);
  const sessionId = await startSession(tx, userId, req);
  return { sessionId, trust: await trustBrowser(tx, { userId, sessionId }, req) };
}

export function handBegunOut(
  deps: Pick<SessionDeps, 'csrfKey'>,
  { sessionId, trust }: BegunSession,
  call: HttpCall,
): void {
  handSessionOut(deps, sessionId, call);
  handTrustOut(trust, call);
}
