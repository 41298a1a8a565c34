import { must } from '@tongtu/base';
import type { Db } from '../../db/driver.ts';
import { deleteAllSessions } from '../sessions/index.ts';
import { clearFailures, loginKey } from './login-failure-store.ts';
import { hashPassword } from './password-hash.ts';
import { findUser, setPasswordHash } from './user-store.ts';

/** Sets a password without the old one, for the operator of the machine; ends every session. Returns the account's name. */
export async function resetPassword(db: Db, userId: number, password: string): Promise<string> {
  const passwordHash = await hashPassword(password);
  return await db.transaction().execute(async (tx) => {
    const { username } = must(await findUser(tx, userId), 'the account');
    await setPasswordHash(tx, userId, passwordHash);
    await deleteAllSessions(tx, userId);
    await clearFailures(tx, loginKey(username.normalize('NFC').toLowerCase()));
    return username;
  });
}
