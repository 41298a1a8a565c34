import { AppError, errorCatalogue } from '@tongtu/contract';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Db } from '../../db/driver.ts';
import { updateUser, type UserPatch, type UserRow } from './user-store.ts';

/** Throws `user.not-found` or `user.name-taken`. */
export async function changeProfile(db: Db, userId: number, patch: UserPatch): Promise<UserRow> {
  try {
    const user = await updateUser(db, userId, patch);
    if (!user) throw new AppError('user.not-found');
    return user;
  } catch (cause) {
    if (!isUniqueViolation(cause, 'user_account_username_key')) throw cause;
    throw new AppError('user.name-taken', { cause, fields: { username: [errorCatalogue['user.name-taken'].detail] } });
  }
}
