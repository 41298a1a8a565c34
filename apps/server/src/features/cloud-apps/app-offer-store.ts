import type { CloudAppKind } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type AppOfferRow = { id: number; name: string; kind: CloudAppKind; owner: string; createdAt: Date };

/** More are not listed: anybody can offer something to an account. */
const MAX_LISTED = 100;

function selectOpenOffers(db: Db, userId: number) {
  return db
    .selectFrom('cloudAppMember')
    .where('cloudAppMember.userId', '=', userId)
    .where('acceptedAt', 'is', null)
    .where('declinedAt', 'is', null);
}

/** What is offered to the user and not answered, newest first. */
export async function listAppOffers(db: Db, userId: number): Promise<AppOfferRow[]> {
  return await selectOpenOffers(db, userId)
    .innerJoin('cloudApp', 'cloudApp.id', 'cloudAppMember.appId')
    .innerJoin('device', 'device.id', 'cloudApp.deviceId')
    .innerJoin('userAccount', 'userAccount.id', 'device.userId')
    .select(['cloudAppMember.id', 'cloudApp.name', 'kind', 'username as owner', 'cloudAppMember.createdAt'])
    .orderBy('cloudAppMember.id', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

/** Locks the app of an offer, so that nobody changes its members meanwhile. Undefined without such an offer. */
export async function lockAppOfOffer(
  tx: Db,
  offer: { id: number; userId: number },
): Promise<{ appId: number; ownerId: number } | undefined> {
  return await tx
    .selectFrom('cloudApp')
    .innerJoin('device', 'device.id', 'cloudApp.deviceId')
    .where('cloudApp.id', '=', selectOpenOffers(tx, offer.userId).where('id', '=', offer.id).select('appId'))
    .select(['cloudApp.id as appId', 'device.userId as ownerId'])
    .forNoKeyUpdate('cloudApp')
    .executeTakeFirst();
}

/** Makes the account a member, once, whatever names the app was offered to. False when the offer is no longer open. */
export async function acceptOffer(tx: Db, { id, userId }: { id: number; userId: number }): Promise<boolean> {
  const accepted = await tx
    .updateTable('cloudAppMember')
    .set({ acceptedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('acceptedAt', 'is', null)
    .where('declinedAt', 'is', null)
    .returning('appId')
    .executeTakeFirst();
  if (accepted === undefined) return false;
  await tx
    .deleteFrom('cloudAppMember')
    .where('appId', '=', accepted.appId)
    .where('userId', '=', userId)
    .where('acceptedAt', 'is', null)
    .execute();
  return true;
}

/** False when the offer is no longer open. The row stays, so that its owner does not see it. */
export async function declineOffer(tx: Db, { id, userId }: { id: number; userId: number }): Promise<boolean> {
  const row = await tx
    .updateTable('cloudAppMember')
    .set({ declinedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('acceptedAt', 'is', null)
    .where('declinedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** For an account that is deleted: offers to it stay, as to a name that nobody has, or their owners would see that it existed. */
export async function unlinkOffersTo(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('cloudAppMember')
    .set({ userId: null, declinedAt: null })
    .where('userId', '=', userId)
    .where('acceptedAt', 'is', null)
    .execute();
}
