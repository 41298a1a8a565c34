import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { enableForOperator } from '../manage-users/index.ts';
import { changeFlags } from './change-flags.ts';
import { findUserIdByName } from './role-store.ts';

/**
 * Makes an account a superuser, for the operator. Returns the account's name in its stored spelling; undefined when no
 * account has the name.
 */
export async function makeSuperuser(db: Db, log: Logger, username: string): Promise<string | undefined> {
  return await db.transaction().execute(async (tx) => {
    const userId = await findUserIdByName(tx, username);
    if (userId === undefined) return undefined;
    await enableForOperator(tx, userId);
    const { user, isChanged } = await changeFlags(tx, userId, { isSuperuser: true }, 'operator');
    if (isChanged) log.warn({ userId }, 'a user was made a superuser from the command line');
    return user.username;
  });
}
