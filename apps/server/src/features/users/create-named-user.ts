import { fieldError } from '@tongtu/contract';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Db } from '../../db/driver.ts';
import { createAccountToken } from './tokens/account-token.ts';
import { insertUser } from './user-store.ts';

type NamedUser = {
  sealingKey: Buffer;
  username: string;
  /** Null where its owner will choose a password by a link. */
  passwordHash: string | null;
  acceptedTermsOfService: boolean;
};

/** Makes an account whose name somebody chose. Returns its id. Throws `user.name-taken`. To be run in a transaction. */
export async function createNamedUser(tx: Db, { sealingKey, ...user }: NamedUser): Promise<number> {
  try {
    const userId = await insertUser(tx, user);
    await createAccountToken(tx, sealingKey, userId);
    return userId;
  } catch (cause) {
    if (!isUniqueViolation(cause, 'user_account_username_key')) throw cause;
    throw fieldError('username', 'user.name-taken', { cause });
  }
}
