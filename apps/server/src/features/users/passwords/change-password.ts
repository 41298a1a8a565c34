import { must } from '@tongtu/base';
import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import type { Session } from '../../../http/session.ts';
import { endOtherSessions } from '../../sessions/index.ts';
import { checkOwnPassword } from './check-own-password.ts';
import { checkNewPassword } from './check-new-password.ts';
import { hashQueued } from './hash-queue.ts';
import { findCredentialsById, findUser, replacePasswordHash } from '../user-store.ts';

/**
 * Sets the password and ends every other session. An account that has a password must show it; one without needs a
 * confirmed session. Throws `request.invalid` for a weak new password, `password.wrong`, `login.locked` or
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
  const passwordHash = await hashQueued(userId, input.newPassword);
  await db.transaction().execute(async (tx) => {
    // Of two concurrent changes the second fails, because it was checked against the password that the first replaced.
    const isReplaced = await replacePasswordHash(tx, { userId, former, passwordHash });
    if (!isReplaced) throw new AppError('password.wrong');
    await endOtherSessions(tx, userId, session.idHash);
  });
}
