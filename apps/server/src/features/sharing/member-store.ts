import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type MemberRow = { id: number; mappingId: number; contact: string; createdAt: Date };

const columns = ['id', 'mappingId', 'contact', 'createdAt'] as const;

export async function listMembers(db: Db, mappingId: number): Promise<MemberRow[]> {
  return await db
    .selectFrom('mappingMember')
    .where('mappingId', '=', mappingId)
    .orderBy('id')
    .select(columns)
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

/** The mapping of the member; undefined when the mapping belongs to another user. */
export async function findMappingOfMember(
  db: Db,
  member: { id: number; ownerId: number },
): Promise<{ mappingId: number } | undefined> {
  return await db
    .selectFrom('mappingMember')
    .innerJoin('mapping', 'mapping.id', 'mappingMember.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('mappingMember.id', '=', member.id)
    .where('device.userId', '=', member.ownerId)
    .select('mappingMember.mappingId')
    .executeTakeFirst();
}

/** Returns the contacts of the deleted members. */
export async function deleteMembers(tx: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('mappingMember')
    .where((eb) => eb('id', '=', eb.fn.any(sql<number[]>`${ids}::integer[]`)))
    .returning('contact')
    .execute();
  return rows.map((row) => row.contact);
}

/** Undefined when the member has been removed. */
export async function findMember(tx: Db, id: number): Promise<MemberRow | undefined> {
  return await tx.selectFrom('mappingMember').where('id', '=', id).select(columns).executeTakeFirst();
}
