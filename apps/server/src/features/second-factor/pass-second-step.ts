import { AppError } from '@tongtu/contract';
import type { HttpCall } from '../../http/session.ts';
import { countGuess, forgetGuess } from './count-guess.ts';
import { beginSession } from './begin-session.ts';
import { lockPasswordHash } from './factor-store.ts';
import type { LoginDeps } from './finish-login.ts';
import { endLoginStep, loginStepProof } from './login-step.ts';
import { claimLoginStep, claimTry, findLoginStep } from './login-step-store.ts';
import { authenticationOptions } from './passkey.ts';
import { hasChallenge } from './passkey-challenge-store.ts';
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
  const step = loginStepProof(call.req, token);
  const userId = await claimTry(db, step);
  if (userId === undefined) throw new AppError('second-factor.expired');
  const binding = { boundTo: step.tokenHash, purpose: 'login', userId } as const;
  // Who took too long has tried nothing that could be wrong.
  if ('passkey' in proof && !(await hasChallenge(db, binding))) throw new AppError('second-factor.expired');
  await countGuess(db, userId, proof);
  await db.transaction().execute(async (tx) => {
    // What ends the account's sessions comes before this, and ends the waiting login as well, or finds the session.
    await lockPasswordHash(tx, userId);
    if (!(await claimLoginStep(tx, step))) throw new AppError('second-factor.expired');
    const isRight = await useFactor(tx, deps, { proof, binding, call: { publicUrl, req: call.req } });
    if (!isRight) throw new AppError('second-factor.wrong');
    await beginSession({ ...deps, db: tx }, userId, call);
  });
  await forgetGuess(db, userId, proof);
  endLoginStep(call);
  return userId;
}

/** What the browser needs to show a passkey as the second step. Throws `second-factor.expired`. */
export async function secondStepOptions(
  { db, publicUrl }: LoginDeps,
  token: string,
  { req }: HttpCall,
): Promise<Record<string, unknown>> {
  const step = loginStepProof(req, token);
  const userId = await findLoginStep(db, step);
  if (userId === undefined) throw new AppError('second-factor.expired');
  const binding = { boundTo: step.tokenHash, purpose: 'login', userId } as const;
  return await authenticationOptions(db, { publicUrl, req }, binding);
}
