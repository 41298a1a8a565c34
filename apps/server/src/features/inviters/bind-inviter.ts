import { AppError } from '@tongtu/contract';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Db } from '../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../db/lock-user.ts';
import { createInvitationCode, readInvitationCode } from './invitation-code.ts';
import { findCode, findUserByCode, readBindState, setCode, updateInviter } from './inviter-store.ts';

const MAX_ATTEMPTS = 5;

/** Sets who invited an account, in the transaction that creates it. A link with a wrong code invites nobody. */
export async function setInviter(tx: Db, { userId, aff }: { userId: number; aff: string }): Promise<void> {
  const code = readInvitationCode(aff);
  if (code !== undefined) await updateInviter(tx, { userId, code });
}

/**
 * Sets who invited an account that exists. Throws `invitation-code.unknown`, `invitation-code.own`,
 * `invitation-code.joined-later`, `invitation-code.bound` or `invitation-code.too-late`.
 */
export async function bindInviter(db: Db, { userId, typed }: { userId: number; typed: string }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // A payment, which ends the time for it, locks the account, too.
    await lockUserForNoKeyUpdate(tx, userId);
    const state = await readBindState(tx, userId);
    if (state.isBound) throw new AppError('invitation-code.bound');
    if (state.isTooLate) throw new AppError('invitation-code.too-late');
    const code = readInvitationCode(typed);
    const inviterId = code === undefined ? undefined : await findUserByCode(tx, code);
    if (code === undefined || inviterId === undefined) throw new AppError('invitation-code.unknown');
    if (inviterId === userId) throw new AppError('invitation-code.own');
    if (!(await updateInviter(tx, { userId, code }))) throw new AppError('invitation-code.joined-later');
  });
}

/** The account's code, made when it is first asked for. */
export async function ensureInvitationCode(db: Db, userId: number): Promise<string> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const code = await findCode(db, userId);
    if (code !== undefined) return code;
    try {
      await setCode(db, { userId, code: createInvitationCode() });
    } catch (error) {
      if (!isUniqueViolation(error, 'user_account_invitation_code_key')) throw error;
    }
  }
  throw new Error('no free invitation code was found');
}
