import { randomInt } from 'node:crypto';
import type { Db } from '../../db/driver.ts';
import { setInviter } from '../inviters/index.ts';
import { createAccountToken } from './tokens/account-token.ts';
import { insertUser, insertUserUnlessTaken, type RegistrationRow } from './user-store.ts';

type Registration = {
  sealingKey: Buffer;
  /** Normalized (E.164) and verified by a code. */
  phoneNumber?: string;
  /** Who invited the user, as the link to the registration says. */
  aff?: string | undefined;
};

const NAME_PREFIX = '用户';
const NAME_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'; // without letters that look alike
const NAME_LENGTH = 8;
const MAX_ATTEMPTS = 5;

/**
 * Creates the account of a user who registers and has accepted the terms: with a free name, an account token and, when
 * given, the phone number. Returns its id. Throws the unique constraint's error when another account has the phone number.
 */
export async function createUser(tx: Db, user: Registration): Promise<number> {
  const { sealingKey, phoneNumber = null, aff = '' } = user;
  const values = { phoneNumber, invitedBy: aff, acceptedTermsOfService: true };
  const userId = await insertWithFreeName(tx, values);
  await createAccountToken(tx, sealingKey, userId);
  await setInviter(tx, { userId, aff });
  return userId;
}

/** Creates the first account of an installation, a superuser. Returns its id. */
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

async function insertWithFreeName(tx: Db, values: Omit<RegistrationRow, 'username'>): Promise<number> {
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
