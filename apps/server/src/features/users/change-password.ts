import type { Db } from '../../db/driver.ts';
import { deleteOtherSessions } from '../sessions/index.ts';
import { checkOwnPassword } from './check-own-password.ts';
import { hashPassword } from './password-hash.ts';
import { setPasswordHash } from './user-store.ts';

export type PasswordChangeInput = { userId: number; keptSession: Buffer; oldPassword: string; newPassword: string };

/** Sets the password and ends every other session. Throws `password.wrong` or `login.locked`. */
export async function changePassword(db: Db, input: PasswordChangeInput): Promise<void> {
  await checkOwnPassword(db, input.userId, input.oldPassword);
  const passwordHash = await hashPassword(input.newPassword);
  await db.transaction().execute(async (tx) => {
    await setPasswordHash(tx, input.userId, passwordHash);
    await deleteOtherSessions(tx, input.userId, input.keptSession);
  });
}
