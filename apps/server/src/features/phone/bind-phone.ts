import { AppError } from '@tongtu/contract';
import { type UseCodeDeps, useSmsCode, useTwoSmsCodes } from '../codes/index.ts';
import { checkOwnPassword } from '../users/index.ts';
import { findPhoneOf, isPhoneTaken, replacePhone } from './phone-store.ts';

/** `phone` is E.164. */
export type PhoneProof = { userId: number; phone: string; code: string; browserHash: Buffer | undefined };
export type OldProof = { oldCode: string } | { password: string; sessionId: number };

/**
 * Binds a number to an account that has none. Throws `phone.already-bound`, `code.wrong`, `code.expired`. It throws
 * `phone.taken` only after a right code, so that nobody else learns that another account has the number.
 */
export async function bindPhone(deps: UseCodeDeps, { userId, phone, ...given }: PhoneProof): Promise<void> {
  if ((await findPhoneOf(deps.db, userId)) !== undefined) throw new AppError('phone.already-bound');
  await useSmsCode(deps, { phone, purpose: 'bind', ...given });
  await savePhone(deps, { userId, former: undefined, phone, failure: 'phone.already-bound' });
}

/**
 * Changes the number of an account, with a code of the old number or with the password as proof. Throws `phone.not-bound`,
 * `password.wrong`, `login.locked`, `code.wrong`, `code.expired`, then `phone.taken`.
 */
export async function rebindPhone(
  deps: UseCodeDeps,
  { userId, phone, code, browserHash, ...proof }: PhoneProof & OldProof,
): Promise<void> {
  const former = await findPhoneOf(deps.db, userId);
  if (former === undefined) throw new AppError('phone.not-bound');
  const given = { phone, purpose: 'rebind', code, browserHash } as const;
  if ('password' in proof) {
    await checkOwnPassword(deps.db, { userId, sessionId: proof.sessionId }, proof.password);
    await useSmsCode(deps, given);
  } else {
    const old = { phone: former, purpose: 'rebind_old', code: proof.oldCode, browserHash } as const;
    await useTwoSmsCodes(deps, old, given);
  }
  await savePhone(deps, { userId, former, phone, failure: 'phone.not-bound' });
}

async function savePhone(
  { db }: UseCodeDeps,
  change: {
    userId: number;
    former: string | undefined;
    phone: string;
    failure: 'phone.already-bound' | 'phone.not-bound';
  },
): Promise<void> {
  const isDone = await replacePhone(db, change).catch((error: unknown) => {
    throw isPhoneTaken(error) ? new AppError('phone.taken', { cause: error }) : error;
  });
  if (!isDone) throw new AppError(change.failure);
}
