import { AppError, type LoginReply } from '@tongtu/contract';
import type { CallRequest, HttpCall } from '../../http/session.ts';
import { handLoginStepOut, startLoginStep, type StartedLoginStep } from '../login-steps/index.ts';
import type { SessionDeps } from '../sessions/index.ts';
import { assertMayLogIn, beginSession, type BegunSession, handBegunOut } from './begin-session.ts';
import { listFactors, lockPasswordHash, type Factors } from './factor-store.ts';
import { relyingPartyId } from './passkeys/relying-party.ts';

export type LoginDeps = SessionDeps & { publicUrl: string };

/** The account that a first step has proven; with the password's hash when that is what it was proven by. */
type ProvenAccount = { id: number; passwordHash?: string };

/**
 * Ends every way of logging in: call it for the account that the first step has proven, outside of any transaction. Starts the
 * session, or asks for the second step when the account has one. Throws `login.failed` when the password is another one by now.
 */
export async function finishLogin(deps: LoginDeps, proven: ProvenAccount, call: HttpCall): Promise<LoginReply> {
  const begun = await beginLogin(deps, proven, call.req);
  if ('sessionId' in begun) {
    handBegunOut(deps, begun, call);
    return { id: proven.id, second_factor: null };
  }
  const { step, methods } = begun;
  handLoginStepOut(step, call);
  return { id: 0, second_factor: { token: step.token, methods, expires_at: step.expiresAt.toISOString() } };
}

type Begun = BegunSession | { step: StartedLoginStep; methods: Factors['methods'] };

async function beginLogin({ db, publicUrl }: LoginDeps, proven: ProvenAccount, req: CallRequest): Promise<Begun> {
  return await db.transaction().execute(async (tx) => {
    // Locked until the session is there: who changes the password afterwards finds and ends it.
    const passwordHash = await lockPasswordHash(tx, proven.id);
    if (proven.passwordHash !== undefined && proven.passwordHash !== passwordHash) throw new AppError('login.failed');
    // Before a second step is asked for in vain.
    await assertMayLogIn(tx, proven.id);
    const { isOn, methods } = await listFactors(tx, proven.id, relyingPartyId(publicUrl, req));
    if (!isOn) return await beginSession(tx, proven.id, req);
    return { step: await startLoginStep(tx, proven.id), methods };
  });
}
