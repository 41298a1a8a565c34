import { must } from '@tongtu/base';
import type { Db } from '../../../db/driver.ts';
import { clearFailures } from '../../../http/failed-attempts.ts';
import { deleteAllApiTokens } from '../../api-tokens/index.ts';
import { foldName } from '../../codes/index.ts';
import { endAllSessions } from '../../sessions/index.ts';
import { checkNewPassword } from './check-new-password.ts';
import { endFactorWaits } from '../factor-guess.ts';
import { hashInTurn } from './hash-turns.ts';
import { loginKey } from '../log-in.ts';
import { findUser, setPasswordHash } from '../user-store.ts';

/**
 * Sets a password without the old one, for the operator of the machine and for who has proven the phone number; ends
 * every session and what was counted for it, every login that waits for its second step, every API token and every lock-out
 * but the day's of typed second factors. `prove` begins the transaction, and throws where the right to do so was lost. Returns
 * the account's name. Throws `request.invalid` for a password that is easily
 * guessed.
 */
export async function resetPassword(
  db: Db,
  userId: number,
  password: string,
  prove: (tx: Db) => Promise<void> = async () => {},
): Promise<string> {
  checkNewPassword(must(await findUser(db, userId), 'the account'), password);
  const passwordHash = await hashInTurn(userId, password);
  return await db.transaction().execute(async (tx) => {
    await prove(tx);
    const { username, email, phoneNumber } = must(await findUser(tx, userId), 'the account');
    await setPasswordHash(tx, userId, passwordHash);
    await endAllSessions(tx, userId);
    await deleteAllApiTokens(tx, userId);
    for (const name of [username, email, phoneNumber ?? '']) {
      if (name !== '') await clearFailures(tx, loginKey(foldName(name)));
    }
    await endFactorWaits(tx, userId);
    return username;
  });
}
