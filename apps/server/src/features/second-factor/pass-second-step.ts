import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { HttpCall } from '../../http/session.ts';
import {
  claimLoginStep,
  claimLoginStepTry,
  clearLoginStepCookie,
  findLoginStep,
  readLoginStepCredentials,
} from '../login-steps/index.ts';
import { startLoginSession, setLoginCookies } from './start-login-session.ts';
import { findPasswordHashForNoKeyUpdate } from './factor-store.ts';
import type { LoginDeps } from './finish-login.ts';
import { createAuthenticationOptions } from './passkeys/passkey.ts';
import { guardAgainstGuessing } from './guard-against-guessing.ts';
import { useFactor, type FactorKeys, type FactorProof } from './use-factor.ts';

export type SecondStepDeps = LoginDeps & FactorKeys;

/**
 * Finishes a login with its second step, and lets the browser skip it for 30 days if `trustsBrowser` is set; returns the account's id. Throws `second-factor.wrong`, `second-factor.expired`,
 * `second-factor.locked` or `login.locked`.
 */
export async function passSecondStep(
  deps: SecondStepDeps,
  { token, proof, trustsBrowser }: { token: string; proof: FactorProof; trustsBrowser: boolean | undefined },
  call: HttpCall,
): Promise<number> {
  const { db, publicUrl } = deps;
  const step = readLoginStepCredentials(call.req, token);
  const userId = await claimLoginStepTry(db, step);
  if (userId === undefined) throw new AppError('second-factor.expired');
  const binding = { boundTo: step.tokenHash, purpose: 'login', userId } as const;
  const begin = async (tx: Db) => {
    // A call that ends the account's sessions runs before this lock and deletes the login step, or after it and ends the session.
    await findPasswordHashForNoKeyUpdate(tx, userId);
    if (!(await claimLoginStep(tx, step))) throw new AppError('second-factor.expired');
    const isRight = await useFactor(tx, deps, { proof, binding, call: { publicUrl, req: call.req } });
    if (!isRight) throw new AppError('second-factor.wrong');
    return await startLoginSession(tx, { userId, isConfirmed: true, skipsSecondStep: trustsBrowser }, call.req);
  };
  await guardAgainstGuessing(db, { userId, at: 'login', proof }, async () => {
    setLoginCookies(deps, await db.transaction().execute(begin), call);
    clearLoginStepCookie(call);
  });
  return userId;
}

/** The WebAuthn options with which the browser answers the second step. Throws `second-factor.expired`. */
export async function secondStepOptions(
  { db, publicUrl }: LoginDeps,
  token: string,
  { req }: HttpCall,
): Promise<Record<string, unknown>> {
  const step = readLoginStepCredentials(req, token);
  const userId = await findLoginStep(db, step);
  if (userId === undefined) throw new AppError('second-factor.expired');
  const binding = { boundTo: step.tokenHash, purpose: 'login', userId } as const;
  return await createAuthenticationOptions(db, { publicUrl, req }, binding);
}
