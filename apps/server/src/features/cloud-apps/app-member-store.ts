import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** `account` of an offer is as the owner typed it. `userId` is null where no account had this name. */
export type AppMemberRow = {
  id: number;
  userId: number | null;
  account: string;
  createdAt: Date;
  acceptedAt: Date | null;
};

/** Those who may open the app, and those to whom it is offered, declined or not. */
export async function listAppMembers(db: Db, appId: number): Promise<AppMemberRow[]> {
  return await selectMembers(db, appId).orderBy('cloudAppMember.id').execute();
}

/** The offer that the owner made to this name, in any case of letters. */
export async function findOfferTo(db: Db, appId: number, account: string): Promise<AppMemberRow | undefined> {
  return await selectMembers(db, appId)
    .where('acceptedAt', 'is', null)
    .where(sql<boolean>`lower(cloud_app_member.account) = lower(${account})`)
    .executeTakeFirst();
}

function selectMembers(db: Db, appId: number) {
  return db
    .selectFrom('cloudAppMember')
    .leftJoin('userAccount', 'userAccount.id', 'cloudAppMember.userId')
    .where('appId', '=', appId)
    .select(['cloudAppMember.id', 'cloudAppMember.userId', 'cloudAppMember.createdAt', 'acceptedAt'])
    .select(sql<string>`case when accepted_at is null then cloud_app_member.account else username end`.as('account'));
}

/** The accounts that may open the app. */
export async function listAppMemberIds(db: Db, appId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('cloudAppMember')
    .where('appId', '=', appId)
    .where('acceptedAt', 'is not', null)
    .select('userId')
    .$narrowType<{ userId: number }>()
    .execute();
  return rows.map(({ userId }) => userId);
}

/** By the name alone, in any case of letters. */
export async function findUserIdByName(db: Db, username: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('userAccount')
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .select('id')
    .executeTakeFirst();
  return row?.id;
}

export async function insertAppOffer(
  tx: Db,
  offer: { appId: number; userId: number | null; account: string },
): Promise<void> {
  await tx.insertInto('cloudAppMember').values(offer).execute();
}

/** The offer is to another account now, which has not declined it. */
export async function redirectAppOffer(tx: Db, { id, userId }: { id: number; userId: number }): Promise<void> {
  await tx.updateTable('cloudAppMember').set({ userId, declinedAt: null }).where('id', '=', id).execute();
}

/** Returns the owner of the app; undefined when the account was no member of it. */
export async function deleteAppMembership(
  tx: Db,
  { appId, userId }: { appId: number; userId: number },
): Promise<number | undefined> {
  const row = await tx
    .deleteFrom('cloudAppMember')
    .using('cloudApp')
    .innerJoin('device', 'device.id', 'cloudApp.deviceId')
    .whereRef('cloudApp.id', '=', 'cloudAppMember.appId')
    .where('cloudAppMember.appId', '=', appId)
    .where('cloudAppMember.userId', '=', userId)
    .where('acceptedAt', 'is not', null)
    .returning('device.userId as ownerId')
    .executeTakeFirst();
  return row?.ownerId;
}

/** Returns the account that was the member, or to which the app was offered; undefined when there is no such member. */
export async function deleteAppMember(
  tx: Db,
  { appId, memberId }: { appId: number; memberId: number },
): Promise<{ userId: number | null } | undefined> {
  return await tx
    .deleteFrom('cloudAppMember')
    .where('id', '=', memberId)
    .where('appId', '=', appId)
    .returning('userId')
    .executeTakeFirst();
}
