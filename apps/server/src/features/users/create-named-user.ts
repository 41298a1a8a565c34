import type { Db } from '../../db/driver.ts';
import { setInviter } from '../inviters/index.ts';
import { assertNotReserved, nameConflict } from './name-conflict.ts';
import { createAccountToken } from './tokens/account-token.ts';
import { insertUser } from './user-store.ts';

type NamedUser = {
  sealingKey: Buffer;
  username: string;
  /** Null where its owner will choose a password by a link. */
  passwordHash: string | null;
  acceptedTermsOfService: boolean;
  /** Who invited the user, as the link says. */
  aff?: string | undefined;
};

/**
 * Makes an account whose name somebody chose. Returns its id. Throws `user.name-taken`, `user.name-look-alike` or
 * `user.name-reserved`. To be run in a transaction.
 */
export async function createNamedUser(tx: Db, { sealingKey, aff = '', ...user }: NamedUser): Promise<number> {
  assertNotReserved(user.username);
  try {
    const userId = await insertUser(tx, { ...user, invitedBy: aff });
    await createAccountToken(tx, sealingKey, userId);
    await setInviter(tx, { userId, aff });
    return userId;
  } catch (cause) {
    throw nameConflict(cause);
  }
}
