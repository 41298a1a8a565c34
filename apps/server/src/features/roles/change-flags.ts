import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { FlaggedAccount } from '../../http/session.ts';
import { isLastAdmin } from '../account-data/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { logOutOtherSessions } from '../sessions/index.ts';
import { findFlaggedUser, setFlags, type FlagChange, type FlaggedUserRow } from './role-store.ts';

/** Who changes the flags: a user who is logged in, or the operator from the command line. */
export type Changer = { userId: number; idHash: Buffer; ip: string } | 'operator';

export type ChangedFlags = { user: FlaggedUserRow; isChanged: boolean };

/**
 * Sets the given flags. An account that gains one is logged out everywhere except in the session of this call. Call it in a
 * transaction. Throws `user.not-found`, `user.last-superuser`, or `session.forbidden` for a caller who has just lost the
 * role or been disabled.
 */
export async function changeFlags(tx: Db, userId: number, change: FlagChange, changer: Changer): Promise<ChangedFlags> {
  // Locks every superuser, so that the second of two concurrent changes sees the first.
  const isLast = await isLastAdmin(tx, userId);
  if (changer !== 'operator' && !(await maySetFlags(tx, changer.userId))) throw new AppError('session.forbidden');
  const before = await findFlaggedUser(tx, userId);
  if (before === undefined) throw new AppError('user.not-found');
  const after = {
    isStaff: change.isStaff ?? before.isStaff,
    isPromoter: change.isPromoter ?? before.isPromoter,
    isSuperuser: change.isSuperuser ?? before.isSuperuser,
  };
  if (isLast && !after.isSuperuser) throw new AppError('user.last-superuser');
  const { gains, losses } = compare(before, after);
  if (gains + losses > 0) {
    await setFlags(tx, userId, after);
    const object = { type: 'user', id: userId, name: before.username };
    const actor = changer === 'operator' ? 'service' : { userId: changer.userId, ip: changer.ip };
    await recordAuditEntry(tx, actor, { action: 'user.flags-changed', object, before: flagsIn(before), after });
  }
  if (gains > 0) {
    const isOwn = changer !== 'operator' && changer.userId === userId;
    await logOutOtherSessions(tx, userId, isOwn ? changer.idHash : undefined);
  }
  return { user: { ...before, ...after }, isChanged: gains + losses > 0 };
}

async function maySetFlags(tx: Db, userId: number): Promise<boolean> {
  const user = await findFlaggedUser(tx, userId);
  return user?.isSuperuser === true && user.disabledAt === null;
}

function flagsIn({ isStaff, isPromoter, isSuperuser }: FlaggedAccount) {
  return { isStaff, isPromoter, isSuperuser };
}

const flagNames = ['isStaff', 'isPromoter', 'isSuperuser'] as const;

function compare(before: FlaggedAccount, after: FlaggedAccount): { gains: number; losses: number } {
  return {
    gains: flagNames.filter((name) => after[name] && !before[name]).length,
    losses: flagNames.filter((name) => before[name] && !after[name]).length,
  };
}
