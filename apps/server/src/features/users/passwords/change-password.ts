import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import type { Session } from '../../../http/session.ts';
import { endOtherSessions } from '../../sessions/index.ts';
import { checkOwnPassword } from './check-own-password.ts';
import { checkNewPassword } from './check-new-password.ts';
import { hashInTurn } from './hash-turns.ts';
import { findCredentialsById, findUser, replacePasswordHash } from '../user-store.ts';

/**
 * Sets the password and ends every other session. The old one must be shown; an account without any sets its first in a
 * confirmed session. Throws `request.invalid` for a new one that is easily guessed, `password.wrong`, `login.locked` or
 * `session.confirm-required`.
 */
export async function changePassword(
  db: Db,
  session: Session,
  input: { oldPassword: string | undefined; newPassword: string },
): Promise<void> {
  const { userId } = session;
  const sessionId = must(session.sessionId, 'a session: the call has no scope that a program could have');
  checkNewPassword(must(await findUser(db, userId), 'the account of a session'), input.newPassword);
  const former = (await findCredentialsById(db, userId))?.passwordHash ?? null;
  if (former !== null) await checkOwnPassword(db, { userId, sessionId }, input.oldPassword ?? '');
  else if (!session.isConfirmed) throw new AppError('session.confirm-required');
  const passwordHash = await hashInTurn(userId, input.newPassword);
  await db.transaction().execute(async (tx) => {
    // Of two changes at once one is made: the other was asked for the password that is not there any more.
    const isReplaced = await replacePasswordHash(tx, { userId, former, passwordHash });
    if (!isReplaced) throw new AppError('password.wrong');
    await endOtherSessions(tx, userId, session.idHash);
  });
}
