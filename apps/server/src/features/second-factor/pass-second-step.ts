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
import { beginSession, handBegunOut } from './begin-session.ts';
import { lockPasswordHash } from './factor-store.ts';
import type { LoginDeps } from './finish-login.ts';
import { authenticationOptions } from './passkeys/passkey.ts';
import { tryFactor } from './try-factor.ts';
import { useFactor, type FactorKeys, type FactorProof } from './use-factor.ts';

export type SecondStepDeps = LoginDeps & FactorKeys;

/**
 * Ends a login with its second step; returns the account's id. Throws `second-factor.wrong`, `second-factor.expired`,
 * `second-factor.locked` or `login.locked`.
 */
export async function passSecondStep(
  deps: SecondStepDeps,
  { token, proof }: { token: string; proof: FactorProof },
  call: HttpCall,
): Promise<number> {
  const { db, publicUrl } = deps;
  const step = readLoginStepCredentials(call.req, token);
  const userId = await claimLoginStepTry(db, step);
  if (userId === undefined) throw new AppError('second-factor.expired');
  const binding = { boundTo: step.tokenHash, purpose: 'login', userId } as const;
  const begin = async (tx: Db) => {
    // What ends the account's sessions comes before this, and ends the waiting login as well, or finds the session.
    await lockPasswordHash(tx, userId);
    if (!(await claimLoginStep(tx, step))) throw new AppError('second-factor.expired');
    const isRight = await useFactor(tx, deps, { proof, binding, call: { publicUrl, req: call.req } });
    if (!isRight) throw new AppError('second-factor.wrong');
    return await beginSession(tx, userId, call.req);
  };
  await tryFactor(db, { userId, at: 'login', proof }, async () => {
    handBegunOut(deps, await db.transaction().execute(begin), call);
    clearLoginStepCookie(call);
  });
  return userId;
}

/** What the browser needs to show a passkey as the second step. Throws `second-factor.expired`. */
export async function secondStepOptions(
  { db, publicUrl }: LoginDeps,
  token: string,
  { req }: HttpCall,
): Promise<Record<string, unknown>> {
  const step = readLoginStepCredentials(req, token);
  const userId = await findLoginStep(db, step);
  if (userId === undefined) throw new AppError('second-factor.expired');
  const binding = { boundTo: step.tokenHash, purpose: 'login', userId } as const;
  return await authenticationOptions(db, { publicUrl, req }, binding);
}
