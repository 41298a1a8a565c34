import { AppError, type LoginReply } from '@tongtu/contract';
import type { HttpCall } from '../../http/session.ts';
import type { SessionDeps } from '../sessions/index.ts';
import { beginSession } from './begin-session.ts';
import { listFactors, lockPasswordHash } from './factor-store.ts';
import { startLoginStep } from './login-step.ts';
import { relyingPartyId } from './relying-party.ts';

export type LoginDeps = SessionDeps & { publicUrl: string };

/** The account that a first step has proven; with the password's hash when that is what it was proven by. */
type ProvenAccount = { id: number; passwordHash?: string };

/**
 * Ends every way of logging in: call it for the account that the first step has proven, outside of any transaction. Starts the
 * session, or asks for the second step when the account has one. Throws `login.failed` when the password is another one by now.
 */
export async function finishLogin(deps: LoginDeps, proven: ProvenAccount, call: HttpCall): Promise<LoginReply> {
  return await deps.db.transaction().execute(async (tx) => {
    // Locked until the session is there: who changes the password afterwards finds and ends it.
    const passwordHash = await lockPasswordHash(tx, proven.id);
    if (proven.passwordHash !== undefined && proven.passwordHash !== passwordHash) throw new AppError('login.failed');
    const { isOn, methods } = await listFactors(tx, proven.id, relyingPartyId(deps.publicUrl, call.req));
    if (!isOn) {
      await beginSession({ ...deps, db: tx }, proven.id, call);
      return { id: proven.id, second_factor: null };
    }
    const { token, expiresAt } = await startLoginStep(tx, proven.id, call);
    return { id: 0, second_factor: { token, methods, expires_at: expiresAt.toISOString() } };
  });
}
