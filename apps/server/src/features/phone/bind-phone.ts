import { AppError } from '@tongtu/contract';
import { must } from '@tongtu/base';
import type { Session } from '../../http/session.ts';
import { type UseCodeDeps, useSmsCode, useTwoSmsCodes } from '../codes/index.ts';
import { assertNotEnded } from '../sessions/index.ts';
import { checkOwnPassword } from '../users/index.ts';
import { findPhoneOf, isPhoneTaken, replacePhone } from './phone-store.ts';

/** `phone` is E.164. */
export type PhoneProof = { session: Session; phone: string; code: string; browserHash: Buffer | undefined };
export type OldProof = { oldCode: string } | { password: string };

/**
 * Binds a number to an account that has none. Throws `phone.already-bound`, `code.wrong`, `code.expired`. It throws
 * `phone.taken` only after a right code, so that nobody else learns that another account has the number.
 */
export async function bindPhone(deps: UseCodeDeps, { session, phone, ...given }: PhoneProof): Promise<void> {
  if ((await findPhoneOf(deps.db, session.userId)) !== undefined) throw new AppError('phone.already-bound');
  await useSmsCode(deps, { phone, purpose: 'bind', ...given });
  await savePhone(deps, { session, former: undefined, phone, failure: 'phone.already-bound' });
}

/**
 * Changes the number of an account, with a code of the old number or with the password as proof. Throws `phone.not-bound`,
 * `password.wrong`, `login.locked`, `code.wrong`, `code.expired`, then `phone.taken`.
 */
export async function rebindPhone(
  deps: UseCodeDeps,
  { session, phone, code, browserHash, ...proof }: PhoneProof & OldProof,
): Promise<void> {
  const { userId } = session;
  const former = await findPhoneOf(deps.db, userId);
  if (former === undefined) throw new AppError('phone.not-bound');
  const given = { phone, purpose: 'rebind', code, browserHash } as const;
  if ('password' in proof) {
    const sessionId = must(session.sessionId, 'a session: no API token has a scope for this call');
    await checkOwnPassword(deps.db, { userId, sessionId }, proof.password);
    await useSmsCode(deps, given);
  } else {
    const old = { phone: former, purpose: 'rebind_old', code: proof.oldCode, browserHash } as const;
    await useTwoSmsCodes(deps, old, given);
  }
  await savePhone(deps, { session, former, phone, failure: 'phone.not-bound' });
}

async function savePhone(
  { db }: UseCodeDeps,
  {
    session,
    failure,
    ...change
  }: {
    session: Session;
    former: string | undefined;
    phone: string;
    failure: 'phone.already-bound' | 'phone.not-bound';
  },
): Promise<void> {
  const save = db.transaction().execute(async (tx) => {
    if (!(await replacePhone(tx, { ...change, userId: session.userId }))) throw new AppError(failure);
    await assertNotEnded(tx, session);
  });
  await save.catch((error: unknown) => {
    throw isPhoneTaken(error) ? new AppError('phone.taken', { cause: error }) : error;
  });
}
