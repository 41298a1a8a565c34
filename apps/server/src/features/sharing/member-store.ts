import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type MemberRow = {
  id: number;
  mappingId: number;
  contact: string;
  createdAt: Date;
  joinedAt: Date | null;
  expiresAt: Date | null;
};
/** With the name of the account that accepted the member's invitation. */
export type ListedMember = MemberRow & { account: string | null };

const columns = ['id', 'mappingId', 'contact', 'createdAt', 'joinedAt', 'expiresAt'] as const;

export async function listMembers(db: Db, mappingId: number): Promise<ListedMember[]> {
  return await db
    .selectFrom('mappingMember')
    .leftJoin('userAccount', 'userAccount.id', 'mappingMember.userId')
    .where('mappingId', '=', mappingId)
    .orderBy('mappingMember.id')
    .select(['mappingMember.id', 'mappingId', 'contact', 'mappingMember.createdAt', 'joinedAt', 'expiresAt'])
    .select('userAccount.username as account')
    .execute();
}

/** Undefined when the mapping already has this member. */
export async function insertMember(
  tx: Db,
  member: { mappingId: number; contact: string },
): Promise<MemberRow | undefined> {
  return await tx
    .insertInto('mappingMember')
    .values(member)
    .onConflict((conflict) => conflict.columns(['mappingId', 'contact']).doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/**
 * The member that another account, or one that was deleted, became by request under a name that now is this account's.
 */
export async function findFormerHolder(
  tx: Db,
  { mappingId, userId, account }: { mappingId: number; userId: number; account: string },
): Promise<{ id: number } | undefined> {
  return await tx
    .selectFrom('mappingMember')
    .where('mappingId', '=', mappingId)
    .where('contact', '=', `@${account}`)
    .where('userId', 'is distinct from', userId)
    .select('id')
    .executeTakeFirst();
}

/**
 * Inserts an account as a member, for so many hours or until it is removed. A member that the account already is gets the
 * new time; a member of this name that is another account must be removed before. The contact cannot be a phone number or an e-mail address, which would stand for another account.
 */
export async function saveAccountMember(
  tx: Db,
  { account, validHours, ...member }: { mappingId: number; userId: number; account: string; validHours: number | null },
): Promise<void> {
  const expiresAt = validHours === null ? null : sql<Date>`now() + make_interval(hours => ${validHours})`;
  await tx
    .insertInto('mappingMember')
    .values({ ...member, contact: `@${account}`, joinedAt: sql<Date>`now()`, expiresAt })
    .onConflict((conflict) => conflict.columns(['mappingId', 'contact']).doUpdateSet({ expiresAt }))
    .execute();
}

/**
 * The members whose time is over, and those whose account was deleted. Locks their mappings, as every removal of a member
 * does; a mapping that is just being changed is left to the next run.
 */
export async function listEndedMembersForUpdate(tx: Db): Promise<number[]> {
  const rows = await tx
    .selectFrom('mappingMember')
    .innerJoin('mapping', 'mapping.id', 'mappingMember.mappingId')
    .where(sql<boolean>`(expires_at < now() or (user_id is null and contact like '@%'))`)
    .select('mappingMember.id')
    .forUpdate('mapping')
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}

/** The member, if the mapping belongs to this user. */
function selectMemberOf(db: Db, member: { id: number; ownerId: number }) {
  return db
    .selectFrom('mappingMember')
    .innerJoin('mapping', 'mapping.id', 'mappingMember.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('mappingMember.id', '=', member.id)
    .where('device.userId', '=', member.ownerId);
}

/** The mapping of the member; undefined when the mapping belongs to another user. */
export async function findMappingOfMember(
  db: Db,
  member: { id: number; ownerId: number },
): Promise<{ mappingId: number } | undefined> {
  return await selectMemberOf(db, member).select('mappingMember.mappingId').executeTakeFirst();
}

/** Returns the contacts of the deleted members, and the accounts that had joined by invitation or request. */
export async function deleteMembers(
  tx: Db,
  ids: readonly number[],
): Promise<{ contact: string; userId: number | null }[]> {
  return await tx
    .deleteFrom('mappingMember')
    .where((eb) => eb('id', '=', eb.fn.any(sql<number[]>`${ids}::integer[]`)))
    .returning(['contact', 'userId'])
    .execute();
}

/** Records the first time that the member opened the address. */
export async function recordJoined(tx: Db, id: number): Promise<void> {
  await tx
    .updateTable('mappingMember')
    .set({ joinedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('joinedAt', 'is', null)
    .execute();
}

/** The members who joined as this account have to join again: it is being deleted. */
export async function clearJoined(tx: Db, userId: number): Promise<void> {
  await tx.updateTable('mappingMember').set({ joinedAt: null }).where('userId', '=', userId).execute();
}

/** Whether one's own mapping has this member, and whether the member has joined. */
export async function findMemberForInvitation(
  db: Db,
  member: { id: number; ownerId: number },
): Promise<{ hasJoined: boolean } | undefined> {
  return await selectMemberOf(db, member)
    .select(sql<boolean>`joined_at is not null`.as('hasJoined'))
    .executeTakeFirst();
}

/** False when the member has been removed. */
export async function lockMemberForNoKeyUpdate(tx: Db, id: number): Promise<boolean> {
  const member = tx.selectFrom('mappingMember').where('id', '=', id).select('id');
  return (await member.forNoKeyUpdate().executeTakeFirst()) !== undefined;
}

/** Makes the account the member, whatever contacts it has. False when the member has been removed. */
export async function joinAsMember(tx: Db, { id, userId }: { id: number; userId: number }): Promise<boolean> {
  const row = await tx
    .updateTable('mappingMember')
    .set({ userId, joinedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Undefined when the member has been removed, or its time is over. */
export async function findMember(tx: Db, id: number): Promise<MemberRow | undefined> {
  return await tx
    .selectFrom('mappingMember')
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(expires_at > now(), true)`)
    .select(columns)
    .executeTakeFirst();
}
