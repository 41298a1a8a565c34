import { type UseCodeDeps, useSmsCode } from '../codes/index.ts';
import { assertMayRegister } from '../registration/index.ts';
import { createUser } from '../users/index.ts';
import { acceptTerms, findUserByPhone, isPhoneTaken } from './phone-store.ts';

export type PhoneLoginDeps = UseCodeDeps & { sealingKey: Buffer };

/**
 * The account of this number (E.164), made when there is none. Throws `code.wrong`, `code.expired`,
 * `registration.by-invitation` or `registration.closed`.
 */
export async function logInByPhone(
  deps: PhoneLoginDeps,
  { phone, aff, ...given }: { phone: string; code: string; browserHash: Buffer | undefined; aff: string | undefined },
): Promise<number> {
  await useSmsCode(deps, { phone, purpose: 'login', ...given });
  return await openAccount(deps, { phone, aff });
}

/** For a number whose holder is there. */
export async function openAccount(
  deps: PhoneLoginDeps,
  { phone, aff }: { phone: string; aff: string | undefined },
): Promise<number> {
  const known = await findUserByPhone(deps.db, phone);
  if (known !== undefined) {
    await acceptTerms(deps.db, known);
    return known;
  }
  await assertMayRegister(deps.db);
  try {
    return await deps.db
      .transaction()
      .execute(async (tx) => await createUser(tx, { sealingKey: deps.sealingKey, phoneNumber: phone, aff }));
  } catch (error) {
    if (!isPhoneTaken(error)) throw error;
    // Somebody made it, or bound the number, in between.
    const made = await findUserByPhone(deps.db, phone);
    if (made === undefined) throw error;
    return made;
  }
}
