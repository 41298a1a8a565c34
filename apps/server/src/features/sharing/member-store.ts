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

/** Undefined when the mapping has this member already. */
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

/** The mapping of a member whom one's own mapping has. */
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

/** False when somebody else was quicker. */
export async function deleteMember(tx: Db, id: number): Promise<boolean> {
  const row = await tx.deleteFrom('mappingMember').where('id', '=', id).returning('id').executeTakeFirst();
  return row !== undefined;
}

/** As what this user may visit the mapping: by the phone number or e-mail address that the account has proven. */
export async function findMembership(
  db: Db,
  { mappingId, userId }: { mappingId: number; userId: number },
): Promise<{ id: number; contact: string } | undefined> {
  return await db
    .selectFrom('mappingMember')
    .innerJoin('userAccount', (join) => join.on('userAccount.id', '=', userId))
    .where('mappingMember.mappingId', '=', mappingId)
    .where(
      sql<boolean>`((user_account.phone_bound_at is not null and user_account.phone_number = mapping_member.contact)
        or lower(user_account.email) = mapping_member.contact)`,
    )
    .orderBy('mappingMember.id')
    .limit(1)
    .select(['mappingMember.id', 'mappingMember.contact'])
    .executeTakeFirst();
}

/** The member as long as it is one. */
export async function findMember(tx: Db, id: number): Promise<MemberRow | undefined> {
  return await tx.selectFrom('mappingMember').where('id', '=', id).select(columns).executeTakeFirst();
}
