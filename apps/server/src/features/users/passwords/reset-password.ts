import { must } from '@tongtu/base';
import type { Db } from '../../../db/driver.ts';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import { clearFailures } from '../../../http/limits/failed-attempts.ts';
import { deleteAllApiTokens } from '../../api-tokens/index.ts';
import { foldName } from '../../codes/index.ts';
import { deleteAllEnrolmentKeys } from '../../enrolment-keys/index.ts';
import { endAllSessions } from '../../sessions/index.ts';
import { checkNewPassword } from './check-new-password.ts';
import { clearFactorLocks } from '../factor-guess.ts';
import { hashQueued } from './hash-queue.ts';
import { loginKey } from '../log-in.ts';
import { deleteLinksMadeBy, demandPasswordBesidePasskeys, findUser, setPasswordHash } from '../user-store.ts';

/**
 * Sets a password without the old one, for the operator and for a user who has proven the phone number, the address or a
 * link. Ends all sessions with their counts, logins that wait for the second step, API tokens, enrolment keys, links that
 * the account has made, and locks, except the day's limit of second factors. Passkeys stay second factors, but do not log
 * in alone. Runs `prove` first in the transaction, which throws when the caller may no longer do it. Returns the account's
 * name. Throws `request.invalid` for a weak password.
 */
export async function resetPassword(
  db: Db,
  userId: number,
  password: string,
  prove: (tx: Db) => Promise<void> = async () => {},
): Promise<string> {
  checkNewPassword(must(await findUser(db, userId), 'the account'), password);
  const passwordHash = await hashQueued(userId, password);
  return await db.transaction().execute(async (tx) => {
    // The account comes first: a change of the password also ends the links by which it could be set.
    await lockUserForNoKeyUpdate(tx, userId);
    await prove(tx);
    const { username, email, phoneNumber } = must(await findUser(tx, userId), 'the account');
    await setPasswordHash(tx, userId, passwordHash);
    await demandPasswordBesidePasskeys(tx, userId);
    await endAllSessions(tx, userId);
    await deleteAllApiTokens(tx, userId);
    await deleteAllEnrolmentKeys(tx, userId);
    await deleteLinksMadeBy(tx, userId);
    for (const name of [username, email, phoneNumber ?? '']) {
      if (name !== '') await clearFailures(tx, loginKey(foldName(name)));
    }
    await clearFactorLocks(tx, userId);
    return username;
  });
}
