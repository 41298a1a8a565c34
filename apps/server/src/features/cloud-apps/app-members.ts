import { must } from '@tongtu/base';
import { AppError, fieldMessages, MAX_MEMBERS_PER_CLOUD_APP } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForKeyShare } from '../../db/lock-user.ts';
import { announceCloudApps } from '../live/index.ts';
import {
  type AppMemberRow,
  deleteAppMember,
  deleteAppMembership,
  findAppMember,
  findUserIdByName,
  insertAppMember,
  listAppMembers,
} from './app-member-store.ts';
import { isOwnApp } from './cloud-app-store.ts';
import { getOwnAppForChange } from './save-cloud-app.ts';

type OwnApp = { id: number; userId: number };

/** The accounts that may open the caller's app. Throws cloud-app.not-found. */
export async function listMembersOfOwnApp(db: Db, { id, userId }: OwnApp): Promise<AppMemberRow[]> {
  if (!(await isOwnApp(db, id, userId))) throw new AppError('cloud-app.not-found');
  return await listAppMembers(db, id);
}

/**
 * Lets an account open the caller's app. It may already be a member. Throws cloud-app.not-found, cloud-app.member-unknown,
 * cloud-app.limit-reached, and request.invalid for the caller's own account.
 */
export async function addAppMember(db: Db, app: OwnApp, account: string): Promise<AppMemberRow> {
  const { id: appId, userId: ownerId } = app;
  if (!(await isOwnApp(db, appId, ownerId))) throw new AppError('cloud-app.not-found');
  const userId = await findUserIdByName(db, account);
  if (userId === undefined) throw new AppError('cloud-app.member-unknown');
  if (userId === ownerId)
    throw new AppError('request.invalid', { fields: { account: [fieldMessages['member.is-owner']] } });
  return await db.transaction().execute(async (tx) => {
    // The account before the app, in the same order as the deletion of an account.
    if (!(await lockUserForKeyShare(tx, userId))) throw new AppError('cloud-app.member-unknown');
    await getOwnAppForChange(tx, app);
    const members = await listAppMembers(tx, appId);
    const known = members.find((member) => member.userId === userId);
    if (known) return known;
    if (members.length >= MAX_MEMBERS_PER_CLOUD_APP) throw new AppError('cloud-app.limit-reached');
    await insertAppMember(tx, { appId, userId });
    await announceCloudApps(tx, [ownerId, userId]);
    return must(await findAppMember(tx, appId, userId), 'the new member');
  });
}

/** The account may no longer open the app; its sessions end. Throws cloud-app.not-found, cloud-app.member-unknown. */
export async function removeAppMember(db: Db, app: OwnApp, memberId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await getOwnAppForChange(tx, app);
    const userId = await deleteAppMember(tx, { appId: app.id, memberId });
    if (userId === undefined) throw new AppError('cloud-app.member-unknown');
    await announceCloudApps(tx, [app.userId, userId]);
  });
}

/** The caller may no longer open somebody else's app; the caller's sessions end. Throws cloud-app.not-found. */
export async function leaveApp(db: Db, { id, userId }: { id: number; userId: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const ownerId = await deleteAppMembership(tx, { appId: id, userId });
    if (ownerId === undefined) throw new AppError('cloud-app.not-found');
    await announceCloudApps(tx, [ownerId, userId]);
  });
}
