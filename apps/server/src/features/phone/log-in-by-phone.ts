import { type UseCodeDeps, useSmsCode } from '../codes/index.ts';
import { assertMayRegister } from '../registration/index.ts';
import { createUser } from '../users/index.ts';
import { acceptTerms, findUserByPhone, isPhoneTaken } from './phone-store.ts';

export type PhoneLoginDeps = UseCodeDeps & { sealingKey: Buffer };

/**
 * Returns the account of this number (E.164), and creates it if there is none. Throws `code.wrong`, `code.expired`,
 * `registration.by-invitation` or `registration.closed`.
 */
export async function logInByPhone(
  deps: PhoneLoginDeps,
  { phone, aff, ...given }: { phone: string; code: string; browserHash: Buffer | undefined; aff: string | undefined },
): Promise<number> {
  await useSmsCode(deps, { phone, purpose: 'login', ...given });
  return await findOrCreateUser(deps, { phone, aff });
}

/** The caller must have checked a code of this number. */
export async function findOrCreateUser(
  deps: PhoneLoginDeps,
  { phone, aff }: { phone: string; aff: string | undefined },
): Promise<number> {
  const userId = await findUserByPhone(deps.db, phone);
  if (userId !== undefined) {
    await acceptTerms(deps.db, userId);
    return userId;
  }
  await assertMayRegister(deps.db);
  try {
    return await deps.db
      .transaction()
      .execute(async (tx) => await createUser(tx, { sealingKey: deps.sealingKey, phoneNumber: phone, aff }));
  } catch (error) {
    if (!isPhoneTaken(error)) throw error;
    // Another call has just created the account or bound the number.
    const existing = await findUserByPhone(deps.db, phone);
    if (existing === undefined) throw error;
    return existing;
  }
}
