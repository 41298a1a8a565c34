import { AppError, fieldError, PAYMENT_TERMS_VERSION } from '@tongtu/contract';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Db } from '../../db/driver.ts';
import { findNewestNumber } from '../announcements/index.ts';
import { announceProfile } from '../live/index.ts';
import { recordPaymentTerms, updateUser, type UserPatch, type UserRow } from './user-store.ts';

/** Throws `user.not-found` or `user.name-taken`. */
export async function changeProfile(db: Db, userId: number, patch: UserPatch): Promise<UserRow> {
  try {
    return await db.transaction().execute(async (tx) => {
      const user = await updateUser(tx, userId, await limitToPublished(tx, withoutWithdrawal(patch)));
      if (!user) throw new AppError('user.not-found');
      if (patch.acceptedTermsOfPayment === true) await recordPaymentTerms(tx, userId, PAYMENT_TERMS_VERSION);
      // What was read in one browser closes in all others.
      await announceProfile(tx, userId);
      return user;
    });
  } catch (cause) {
    if (!isUniqueViolation(cause, 'user_account_username_key')) throw cause;
    throw fieldError('username', 'user.name-taken', { cause });
  }
}

/** Terms of payment that were accepted stay accepted: orders refer to them. */
function withoutWithdrawal({ acceptedTermsOfPayment, ...patch }: UserPatch): UserPatch {
  return acceptedTermsOfPayment === true ? { ...patch, acceptedTermsOfPayment } : patch;
}

/** Lowers the announcement's number to the newest published one: a higher number would hide every later announcement. */
async function limitToPublished(db: Db, patch: UserPatch): Promise<UserPatch> {
  if (patch.readedAnnouncementId === undefined) return patch;
  return { ...patch, readedAnnouncementId: Math.min(patch.readedAnnouncementId, await findNewestNumber(db)) };
}
