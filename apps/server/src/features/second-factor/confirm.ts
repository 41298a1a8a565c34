import { must } from '@tongtu/base';
import { AppError, type ConfirmMethod } from '@tongtu/contract';
import { findBrowser } from '../../http/browser/browser-cookie.ts';
import type { CallRequest, Session } from '../../http/session.ts';
import { useSmsCode, type UseCodeDeps } from '../codes/index.ts';
import { confirmSession, findConfirmedUntil } from '../sessions/index.ts';
import { checkOwnPassword } from '../users/index.ts';
import { findFirstFactors, listFactors } from './factor-store.ts';
import type { SecondStepDeps } from './pass-second-step.ts';
import { createAuthenticationOptions } from './passkeys/passkey.ts';
import { relyingPartyId } from './passkeys/relying-party.ts';
import { guardAgainstGuessing } from './guard-against-guessing.ts';
import { useFactor, type FactorProof } from './use-factor.ts';

export type ConfirmDeps = SecondStepDeps & UseCodeDeps;
export type ConfirmProof = FactorProof | { password: string } | { sms_code: string };

type Caller = { session: Session; req: CallRequest };

/** By which methods the caller can confirm their identity, and until when it is confirmed. */
export async function describeConfirmation(
  { db, publicUrl }: Pick<ConfirmDeps, 'db' | 'publicUrl'>,
  { session, req }: Caller,
): Promise<{ methods: ConfirmMethod[]; confirmedUntil: Date | undefined }> {
  const { methods } = await findConfirmMethods({ db, publicUrl }, { session, req });
  return { methods, confirmedUntil: await findConfirmedUntil(db, session.idHash) };
}

/**
 * Confirms the session for ten minutes. Throws, depending on the proof, `second-factor.wrong`, `second-factor.expired`,
 * `second-factor.locked`, `password.wrong`, `code.wrong`, `code.expired` or `login.locked`.
 */
export async function confirmCaller(deps: ConfirmDeps, caller: Caller, proof: ConfirmProof): Promise<void> {
  const { db } = deps;
  const { userId, idHash } = caller.session;
  const sessionId = must(caller.session.sessionId, 'a session: the call has no scope that a program could have');
  const { methods, phoneNumber } = await findConfirmMethods(deps, caller);
  // A second factor protects against a leaked password, so the password cannot replace it.
  if (!methods.includes(methodOf(proof))) throw new AppError('second-factor.wrong');
  if ('password' in proof) await checkOwnPassword(db, { userId, sessionId }, proof.password);
  else if ('sms_code' in proof) {
    const given = { code: proof.sms_code, browserHash: findBrowser(caller.req) };
    await useSmsCode(deps, { phone: phoneNumber ?? '', purpose: 'confirm', ...given });
  } else await checkFactor(deps, { ...caller, sessionId }, proof);
  await confirmSession(db, idHash);
}

/** The WebAuthn options with which the browser answers for a confirmation. */
export async function confirmationOptions(
  { db, publicUrl }: Pick<ConfirmDeps, 'db' | 'publicUrl'>,
  { session, req }: Caller,
): Promise<Record<string, unknown>> {
  return await createAuthenticationOptions(db, { publicUrl, req }, bindingOf(session));
}

async function checkFactor(
  deps: ConfirmDeps,
  { session, sessionId, req }: Caller & { sessionId: number },
  proof: FactorProof,
): Promise<void> {
  const { db, publicUrl } = deps;
  const given = { proof, binding: bindingOf(session), call: { publicUrl, req } };
  await guardAgainstGuessing(db, { userId: session.userId, at: 'confirm', sessionId, proof }, async () => {
    const isRight = await db.transaction().execute(async (tx) => await useFactor(tx, deps, given));
    if (!isRight) throw new AppError('second-factor.wrong');
  });
}

type ConfirmMethods = { methods: ConfirmMethod[]; phoneNumber: string | null };

async function findConfirmMethods(
  { db, publicUrl }: Pick<ConfirmDeps, 'db' | 'publicUrl'>,
  { session, req }: Caller,
): Promise<ConfirmMethods> {
  const { isOn, methods } = await listFactors(db, session.userId, relyingPartyId(publicUrl, req));
  const { hasPassword = false, phoneNumber = null } = (await findFirstFactors(db, session.userId)) ?? {};
  if (isOn) return { methods, phoneNumber };
  if (hasPassword) return { methods: ['password'], phoneNumber };
  return { methods: phoneNumber === null ? [] : ['sms'], phoneNumber };
}

function methodOf(proof: ConfirmProof): ConfirmMethod {
  if ('code' in proof) return 'totp';
  if ('passkey' in proof) return 'passkey';
  if ('recovery_code' in proof) return 'recovery_code';
  return 'password' in proof ? 'password' : 'sms';
}

function bindingOf({ userId, idHash }: Session) {
  return { boundTo: idHash, purpose: 'confirm', userId } as const;
}
