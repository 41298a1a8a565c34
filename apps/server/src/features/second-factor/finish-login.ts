import type { LoginReply } from '@tongtu/contract';
import type { HttpCall } from '../../http/session.ts';
import { startSession, type SessionDeps } from '../sessions/index.ts';
import { listFactors } from './factor-store.ts';
import { startLoginStep } from './login-step.ts';
import { relyingPartyId } from './relying-party.ts';

export type LoginDeps = SessionDeps & { publicUrl: string };

/**
 * Ends every way of logging in: call it for the account that the first step has proven, outside of any transaction. Starts the
 * session, or asks for the second step when the account has one.
 */
export async function finishLogin(deps: LoginDeps, userId: number, call: HttpCall): Promise<LoginReply> {
  const { isOn, methods } = await listFactors(deps.db, userId, relyingPartyId(deps.publicUrl, call.req));
  if (!isOn) {
    await startSession(deps, userId, call);
    return { id: userId, second_factor: null };
  }
  const { token, expiresAt } = await startLoginStep(deps.db, userId, call);
  return { id: 0, second_factor: { token, methods, expires_at: expiresAt.toISOString() } };
}
