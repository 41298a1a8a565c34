import { AppError } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { lockUserForUpdate } from '../../db/lock-user.ts';
import { announceDeletedDevices } from '../live/index.ts';
import { endMappingsOfUser } from '../mappings/index.ts';
import { endAllSessions } from '../sessions/index.ts';
import { deleteEndedVerificationsOf, deleteVerificationsOf } from '../verifications/index.ts';
import {
  deleteAccount,
  hasStayingAdmin,
  listDueAccounts,
  lockDevicesForUpdate,
  lockDueAccountForNoKeyUpdate,
  lockStayingAdminsForNoKeyUpdate,
  planDeletion,
} from './account-store.ts';
import { isLastAdmin } from './is-last-admin.ts';

const ACCOUNTS_A_RUN = 100;

export type DeleteDeps = {
  db: Db;
  log: Logger;
  /** Called with an account that goes and an administrator who stays (features/installation). */
  handOver: (tx: Db, change: { fromUserId: number; toUserId: number }) => Promise<void>;
};

/** Lets the account be deleted in seven days, unless its owner takes that back. Throws `user.last-admin`. */
export async function requestDeletion(db: Db, userId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (await isLastAdmin(tx, userId)) throw new AppError('user.last-admin');
    await planDeletion(tx, userId);
  });
}

/**
 * Deletes the accounts whose time has come: their devices are disconnected, and their addresses are free for others,
 * prefixes after 30 days.
 */
export async function deleteDueAccounts(deps: DeleteDeps): Promise<void> {
  for (const userId of await listDueAccounts(deps.db, ACCOUNTS_A_RUN)) {
    try {
      await forgetWhoWasIn(deps.db, userId);
      await deps.db.transaction().execute(async (tx) => await deleteIfDue(tx, deps, userId));
    } catch (err) {
      deps.log.error({ err, userId }, 'account not deleted'); // it is tried again; the others need not wait for it
    }
  }
}

/**
 * The records that nothing depends on any more, of which there may be any number, in transactions of their own: all
 * administrators wait for the one that deletes the account.
 */
async function forgetWhoWasIn(db: Db, userId: number): Promise<void> {
  if (!(await hasStayingAdmin(db))) return;
  const forgetSome = async (tx: Db): Promise<boolean> =>
    (await lockDueAccountForNoKeyUpdate(tx, userId)) && (await deleteEndedVerificationsOf(tx, userId));
  while (await db.transaction().execute(forgetSome));
}

async function deleteIfDue(tx: Db, { handOver }: DeleteDeps, userId: number): Promise<void> {
  const [successor] = await lockStayingAdminsForNoKeyUpdate(tx, userId);
  // The other administrators may have lost their rights since it was asked for: then the account stays until there is one.
  if (successor === undefined || !(await lockDueAccountForNoKeyUpdate(tx, userId))) return;
  // What it was let in to by others does not go with it by itself. First of all, since who comes in holds the session, and
  // then the account.
  await endAllSessions(tx, userId);
  await lockUserForUpdate(tx, userId);
  await handOver(tx, { fromUserId: userId, toUserId: successor });
  const deviceIds = await lockDevicesForUpdate(tx, userId);
  await endMappingsOfUser(tx, userId);
  await deleteVerificationsOf(tx, userId);
  await deleteAccount(tx, userId);
  await announceDeletedDevices(tx, deviceIds);
}
