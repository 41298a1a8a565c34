import { AppError } from '@tongtu/contract';
import type { Logger } from 'pino';
import type { Db } from '../../db/driver.ts';
import { lockUserForUpdate } from '../../db/lock-user.ts';
import { unlinkOffersTo } from '../cloud-apps/index.ts';
import { giveUpRewards } from '../invitation-rewards/index.ts';
import { announceDeletedDevices } from '../live/index.ts';
import { endMappingsOfUser } from '../mappings/index.ts';
import { closeOrdersOfUser } from '../orders/index.ts';
import { endAllSessions } from '../sessions/index.ts';
import { clearJoined } from '../sharing/index.ts';
import { deleteEndedVerificationsOf, deleteVerificationsOf } from '../verifications/index.ts';
import {
  deleteAccount,
  hasRemainingAdmin,
  listDueAccounts,
  findDeviceIdsForUpdate,
  lockDueAccountForNoKeyUpdate,
  lockRemainingAdminsForNoKeyUpdate,
  scheduleDeletion,
} from './account-store.ts';
import { isLastAdmin } from './is-last-admin.ts';

const ACCOUNTS_PER_RUN = 100;

export type DeleteDeps = {
  db: Db;
  log: Logger;
  /** Hands the installation's first account over to a remaining superuser (features/installation). */
  handOver: (tx: Db, change: { fromUserId: number; toUserId: number }) => Promise<void>;
};

/** Schedules the deletion of the account in seven days. Its owner can cancel it. Throws `user.last-admin`. */
export async function requestDeletion(db: Db, userId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (await isLastAdmin(tx, userId)) throw new AppError('user.last-admin');
    await scheduleDeletion(tx, userId);
  });
}

/**
 * Deletes the accounts that are due. Their devices are disconnected, and their addresses become free for others, prefixes
 * after 30 days.
 */
export async function deleteDueAccounts(deps: DeleteDeps): Promise<void> {
  for (const userId of await listDueAccounts(deps.db, ACCOUNTS_PER_RUN)) {
    try {
      await deleteEndedRecords(deps.db, userId);
      await deps.db.transaction().execute(async (tx) => await deleteIfDue(tx, deps, userId));
    } catch (err) {
      deps.log.error({ err, userId }, 'account not deleted'); // the next run tries again; other accounts are not affected
    }
  }
}

/**
 * Deletes ended verifications in transactions of their own, because there may be many, and all superusers are locked while
 * the account is deleted.
 */
async function deleteEndedRecords(db: Db, userId: number): Promise<void> {
  if (!(await hasRemainingAdmin(db))) return;
  const deleteBatch = async (tx: Db): Promise<boolean> =>
    (await lockDueAccountForNoKeyUpdate(tx, userId)) && (await deleteEndedVerificationsOf(tx, userId));
  while (await db.transaction().execute(deleteBatch));
}

async function deleteIfDue(tx: Db, { handOver }: DeleteDeps, userId: number): Promise<void> {
  const [successor] = await lockRemainingAdminsForNoKeyUpdate(tx, userId);
  // The other superusers may have lost their role since the request: then the account stays until there is one.
  if (successor === undefined || !(await lockDueAccountForNoKeyUpdate(tx, userId))) return;
  // Its proofs on other users' mappings end with its sessions. Sessions come first: a visitor who comes in also locks the
  // session before the account.
  await endAllSessions(tx, userId);
  await lockUserForUpdate(tx, userId);
  await handOver(tx, { fromUserId: userId, toUserId: successor });
  const deviceIds = await findDeviceIdsForUpdate(tx, userId);
  await endMappingsOfUser(tx, userId);
  await deleteVerificationsOf(tx, userId);
  await clearJoined(tx, userId);
  await unlinkOffersTo(tx, userId);
  await giveUpRewards(tx, userId);
  await closeOrdersOfUser(tx, userId);
  await deleteAccount(tx, userId);
  await announceDeletedDevices(tx, deviceIds);
}
