import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type AppMemberRow = { id: number; userId: number; account: string; createdAt: Date };

export async function listAppMembers(db: Db, appId: number): Promise<AppMemberRow[]> {
  return await selectMembers(db, appId).orderBy('cloudAppMember.id').execute();
}

export async function findAppMember(db: Db, appId: number, userId: number): Promise<AppMemberRow | undefined> {
  return await selectMembers(db, appId).where('cloudAppMember.userId', '=', userId).executeTakeFirst();
}

function selectMembers(db: Db, appId: number) {
  return db
    .selectFrom('cloudAppMember')
    .innerJoin('userAccount', 'userAccount.id', 'cloudAppMember.userId')
    .where('appId', '=', appId)
    .select(['cloudAppMember.id', 'cloudAppMember.userId', 'username as account', 'cloudAppMember.createdAt']);
}

export async function listAppMemberIds(db: Db, appId: number): Promise<number[]> {
  const rows = await db.selectFrom('cloudAppMember').where('appId', '=', appId).select('userId').execute();
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

export async function insertAppMember(tx: Db, member: { appId: number; userId: number }): Promise<void> {
  await tx.insertInto('cloudAppMember').values(member).execute();
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
    .returning('device.userId as ownerId')
    .executeTakeFirst();
  return row?.ownerId;
}

/** Returns the account that was the member; undefined when the app has no such member. */
export async function deleteAppMember(
  tx: Db,
  { appId, memberId }: { appId: number; memberId: number },
): Promise<number | undefined> {
  const row = await tx
    .deleteFrom('cloudAppMember')
    .where('id', '=', memberId)
    .where('appId', '=', appId)
    .returning('userId')
    .executeTakeFirst();
  return row?.userId;
}
