import { AppError, fieldError } from '@tongtu/contract';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Db } from '../../db/driver.ts';
import { findNewestNumber } from '../announcements/index.ts';
import { updateUser, type UserPatch, type UserRow } from './user-store.ts';

/** Throws `user.not-found` or `user.name-taken`. */
export async function changeProfile(db: Db, userId: number, patch: UserPatch): Promise<UserRow> {
  try {
    const user = await updateUser(db, userId, await limitToPublished(db, patch));
    if (!user) throw new AppError('user.not-found');
    return user;
  } catch (cause) {
    if (!isUniqueViolation(cause, 'user_account_username_key')) throw cause;
    throw fieldError('username', 'user.name-taken', { cause });
  }
}

/** Lowers the announcement's number to the newest published one: a higher number would hide every later announcement. */
async function limitToPublished(db: Db, patch: UserPatch): Promise<UserPatch> {
  if (patch.readedAnnouncementId === undefined) return patch;
  return { ...patch, readedAnnouncementId: Math.min(patch.readedAnnouncementId, await findNewestNumber(db)) };
}
