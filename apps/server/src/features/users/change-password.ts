import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { deleteOtherSessions } from '../sessions/index.ts';
import { checkPassword } from './check-password.ts';
import { hashPassword } from './password-hash.ts';
import { findCredentialsById, setPasswordHash } from './user-store.ts';

export type PasswordChangeInput = { userId: number; keptSession: Buffer; oldPassword: string; newPassword: string };

/** Sets the password and ends every other session. Throws `password.wrong` or `login.locked`. */
export async function changePassword(db: Db, input: PasswordChangeInput): Promise<void> {
  const credentials = await findCredentialsById(db, input.userId);
  const attempt = { countedAs: `user:${input.userId}`, credentials, password: input.oldPassword };
  if ((await checkPassword(db, attempt)) === undefined) throw new AppError('password.wrong');
  const passwordHash = await hashPassword(input.newPassword);
  await db.transaction().execute(async (tx) => {
    await setPasswordHash(tx, input.userId, passwordHash);
    await deleteOtherSessions(tx, input.userId, input.keptSession);
  });
}
