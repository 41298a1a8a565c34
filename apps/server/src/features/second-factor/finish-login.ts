import { AppError, type LoginReply } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { setLoginStepCookie, startLoginStep, type StartedLoginStep } from '../login-steps/index.ts';
import type { SessionDeps } from '../sessions/index.ts';
import { skipsSecondStep } from '../trusted-browsers/index.ts';
import { assertMayLogIn, startLoginSession, type NewSession, setLoginCookies } from './start-login-session.ts';
import { listFactors, findPasswordHashForNoKeyUpdate, type Factors } from './factor-store.ts';
import type { ProvenPasskey } from './passkeys/passkey.ts';
import { needsPassword, recordPasskeyUse } from './passkeys/passkey-store.ts';
import { relyingPartyId } from './passkeys/relying-party.ts';

export type LoginDeps = SessionDeps & { publicUrl: string };

/** The account that the first step has authenticated, with what the first step was if it can be changed or deleted since. */
type AuthenticatedAccount = { id: number; passwordHash?: string; passkey?: ProvenPasskey };

/**
 * Finishes the first step of every sign-in method; call it outside of transactions. Starts the session, or asks for the
 * second step when the account has one, the first step was no passkey, and the browser does not skip it. Throws `login.failed`
 * when the password has been changed since it was checked, `passkey.login-failed` when the passkey has been deleted,
 * `passkey.needs-password`, or `user.disabled`.
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
    if (proven.passkey) return await beginPasskeyLogin(tx, proven.passkey, req);
    const { isOn, methods } = await listFactors(tx, proven.id, relyingPartyId(publicUrl, req));
    if (!isOn) return await startLoginSession(tx, { userId: proven.id, isConfirmed: true }, req);
    // A stolen password must not be enough to confirm the identity, even in a browser that skips the second step.
    if (await skipsSecondStep(tx, proven.id, req))
      return await startLoginSession(tx, { userId: proven.id, isConfirmed: false }, req);
    return { step: await startLoginStep(tx, proven.id), methods };
  });
}

/** A passkey with user verification is both factors: what somebody has, and what they know or are. */
async function beginPasskeyLogin(tx: Db, passkey: ProvenPasskey, req: CallRequest): Promise<NewSession> {
  const { userId, id, counter } = passkey;
  if (await needsPassword(tx, id)) throw new AppError('passkey.needs-password');
  if (!(await recordPasskeyUse(tx, { id, counter, isDiscoverable: true }))) throw new AppError('passkey.login-failed');
  return await startLoginSession(tx, { userId, isConfirmed: true }, req);
}
