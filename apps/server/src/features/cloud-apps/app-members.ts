import { must } from '@tongtu/base';
import { AppError, fieldMessages, MAX_MEMBERS_PER_CLOUD_APP } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { lockUserForKeyShare } from '../../db/lock-user.ts';
import { announceCloudApps } from '../live/index.ts';
import {
  type AppMemberRow,
  deleteAppMember,
  deleteAppMembership,
  findOfferTo,
  findUserIdByName,
  insertAppOffer,
  listAppMembers,
  redirectAppOffer,
} from './app-member-store.ts';
import { isOwnApp } from './cloud-app-store.ts';
import { getOwnAppForChange } from './save-cloud-app.ts';

type OwnApp = { id: number; userId: number };

/** The accounts that may open the caller's app, and those to which it is offered. Throws cloud-app.not-found. */
export async function listMembersOfOwnApp(db: Db, { id, userId }: OwnApp): Promise<AppMemberRow[]> {
  if (!(await isOwnApp(db, id, userId))) throw new AppError('cloud-app.not-found');
  return await listAppMembers(db, id);
}

/**
 * Offers the caller's app to the account of this name, which may open it once it has accepted. The reply does not reveal
 * whether there is such an account. A name that was given before stays as it is. Throws cloud-app.not-found,
 * cloud-app.limit-reached, and request.invalid for the caller's own account.
 */
export async function offerApp(db: Db, app: OwnApp, account: string): Promise<AppMemberRow> {
  const { id: appId, userId: ownerId } = app;
  if (!(await isOwnApp(db, appId, ownerId))) throw new AppError('cloud-app.not-found');
  const named = await findUserIdByName(db, account);
  if (named === ownerId)
    throw new AppError('request.invalid', { fields: { account: [fieldMessages['member.is-owner']] } });
  return await db.transaction().execute(async (tx) => {
    // The account before the app, in the same order as the deletion of an account.
    const userId = named !== undefined && (await lockUserForKeyShare(tx, named)) ? named : null;
    await getOwnAppForChange(tx, app);
    const members = await listAppMembers(tx, appId);
    const member = members.find((each) => each.acceptedAt !== null && each.userId === userId);
    if (member) return member;
    const offer = await findOfferTo(tx, appId, account);
    if (offer) {
      // Another account has the name now, or the first one.
      if (userId !== null && userId !== offer.userId) await redirectAppOffer(tx, { id: offer.id, userId });
    } else {
      if (members.length >= MAX_MEMBERS_PER_CLOUD_APP) throw new AppError('cloud-app.limit-reached');
      await insertAppOffer(tx, { appId, userId, account });
    }
    await announceCloudApps(tx, userId === null ? [ownerId] : [ownerId, userId]);
    return must(await findOfferTo(tx, appId, account), 'the offer');
  });
}

/** The account may no longer open the app, or accept the offer; its sessions end. Throws cloud-app.not-found, cloud-app.member-unknown. */
export async function removeAppMember(db: Db, app: OwnApp, memberId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await getOwnAppForChange(tx, app);
    const deleted = await deleteAppMember(tx, { appId: app.id, memberId });
    if (deleted === undefined) throw new AppError('cloud-app.member-unknown');
    await announceCloudApps(tx, deleted.userId === null ? [app.userId] : [app.userId, deleted.userId]);
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
