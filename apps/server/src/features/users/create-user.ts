import { randomInt } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { createAccountToken } from './tokens/account-token.ts';
import { insertUser, insertUserUnlessTaken, type JoiningUserRow } from './user-store.ts';

type JoiningUser = {
  sealingKey: Buffer;
  /** Normalized (E.164) and proven by a code. */
  phoneNumber?: string;

  /** Who invited, as the person's link said. */
  aff?: string | undefined;
};

const NAME_PREFIX = '用户';
const NAME_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'; // none that are taken for another
const NAME_LENGTH = 8;
const MAX_ATTEMPTS = 5;

/**
 * Makes the account of somebody who joins and has accepted the terms: with a free name, an account token and, when given,
 * the phone number. Returns its id. A phone number that is taken is the caller's to translate: the unique constraint's
 * error comes out as it is.
 */
export async function createUser(tx: Db, user: JoiningUser): Promise<number> {
  const { sealingKey, phoneNumber = null, aff = '' } = user;
  const values = { phoneNumber, invitedBy: aff, acceptedTermsOfService: true };
  const userId = await insertWithFreeName(tx, values);
  await createAccountToken(tx, sealingKey, userId);
  return userId;
}

/** Makes the account that a new installation begins with: it may do everything. Returns its id. */
export async function createFirstAdmin(
  tx: Db,
  { sealingKey, passwordHash }: { sealingKey: Buffer; passwordHash: string },
): Promise<number> {
  const userId = await insertUser(tx, {
    username: 'admin',
    passwordHash,
    isStaff: true,
    isSuperuser: true,
    hasOneTimePassword: true,
  });
  await createAccountToken(tx, sealingKey, userId);
  return userId;
}

async function insertWithFreeName(tx: Db, values: Omit<JoiningUserRow, 'username'>): Promise<number> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const id = await insertUserUnlessTaken(tx, { ...values, username: randomName() });
    if (id !== undefined) return id;
  }
  throw new Error('no free user name was found');
}

function randomName(): string {
  const letters = Array.from({ length: NAME_LENGTH }, () => NAME_LETTERS[randomInt(NAME_LETTERS.length)]);
  return NAME_PREFIX + letters.join('');
}
