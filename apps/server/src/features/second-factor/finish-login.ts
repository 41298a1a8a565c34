import { AppError, type LoginReply } from '@tongtu/contract';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { setLoginStepCookie, startLoginStep, type StartedLoginStep } from '../login-steps/index.ts';
import type { SessionDeps } from '../sessions/index.ts';
import { assertMayLogIn, startLoginSession, type NewSession, setLoginCookies } from './start-login-session.ts';
import { listFactors, findPasswordHashForNoKeyUpdate, type Factors } from './factor-store.ts';
import { relyingPartyId } from './passkeys/relying-party.ts';

export type LoginDeps = SessionDeps & { publicUrl: string };

/** The account that the first step has authenticated, with the password's hash if the first step was the password. */
type AuthenticatedAccount = { id: number; passwordHash?: string };

/**
 * Finishes the first step of every sign-in method; call it outside of transactions. Starts the session, or asks for the
 * second step when the account has one. Throws `login.failed` when the password has been changed since it was checked,
 * or `user.disabled`.
 */
export async function finishLogin(deps: LoginDeps, proven: AuthenticatedAccount, call: HttpCall): Promise<LoginReply> {
  const result = await beginLogin(deps, proven, call.req);
  if ('sessionId' in result) {
    setLoginCookies(deps, result, call);
    return { id: proven.id, second_factor: null };
  }
  const { step, methods } = result;
  setLoginStepCookie(step, call);
  return { id: 0, second_factor: { token: step.token, methods, expires_at: step.expiresAt.toISOString() } };
}

type LoginResult = NewSession | { step: StartedLoginStep; methods: Factors['methods'] };

async function beginLogin(
  { db, publicUrl }: LoginDeps,
  proven: AuthenticatedAccount,
  req: CallRequest,
): Promise<LoginResult> {
  return await db.transaction().execute(async (tx) => {
    // The lock lasts until the session is inserted, so a later change of the password finds and ends the session.
    const passwordHash = await findPasswordHashForNoKeyUpdate(tx, proven.id);
    if (proven.passwordHash !== undefined && proven.passwordHash !== passwordHash) throw new AppError('login.failed');
    // Before the second step, which would be in vain.
    await assertMayLogIn(tx, proven.id);
    const { isOn, methods } = await listFactors(tx, proven.id, relyingPartyId(publicUrl, req));
    if (!isOn) return await startLoginSession(tx, proven.id, req);
    return { step: await startLoginStep(tx, proven.id), methods };
  });
}
