import { AppError, hasRole, PAYMENT_TERMS_VERSION } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { findNewestNumber } from '../announcements/index.ts';
import { announceProfile } from '../live/index.ts';
import { assertNotReserved, nameConflict } from './name-conflict.ts';
import { findUser, recordPaymentTerms, updateUser, type UserPatch, type UserRow } from './user-store.ts';

/** Throws `user.not-found`, `user.name-taken`, `user.name-look-alike` or `user.name-reserved`. */
export async function changeProfile(db: Db, userId: number, patch: UserPatch): Promise<UserRow> {
  try {
    return await db.transaction().execute(async (tx) => {
      const allowed = await withAllowedName(tx, userId, withoutWithdrawal(patch));
      const user = await updateUser(tx, userId, await limitToPublished(tx, allowed));
      if (!user) throw new AppError('user.not-found');
      if (patch.acceptedTermsOfPayment === true) await recordPaymentTerms(tx, userId, PAYMENT_TERMS_VERSION);
      // What was read in one browser closes in all others.
      await announceProfile(tx, userId);
      return user;
    });
  } catch (cause) {
    throw nameConflict(cause);
  }
}

/**
 * Names of the service are for those who run it. An account keeps the name that it has, though rules that came later may
 * refuse it.
 */
async function withAllowedName(tx: Db, userId: number, { username, ...patch }: UserPatch): Promise<UserPatch> {
  if (username === undefined) return patch;
  const user = await findUser(tx, userId);
  if (user === undefined || username === user.username) return patch;
  const { isStaff, isPromoter, isSuperuser } = user;
  if (!hasRole({ is_staff: isStaff, is_promoter: isPromoter, is_superuser: isSuperuser }, 'staff'))
    assertNotReserved(username);
  return { ...patch, username };
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
