import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** A proof that somebody is about to have. */
export type ComingProof = {
  mappingId: number;
  deviceId: number;
  /** The mapping's name: another mapping that had it before counts as the same. */
  host: string;
  grantedBy: 'owner' | 'member' | 'password' | 'share';
  sessionId: number | null;
  /** Who is logged in: a member who was removed and is one again is the same one. */
  userId: number | null;
  /** The visitor's, as limits know it. */
  network: string;
};

export type ProofCounts = {
  /** Of the same login. */
  ofLogin: number;
  /** The owner's, at this device. */
  ofOwner: number;
  /** Of all others: at this device without and with its deleted mappings, at this mapping, and of the same member or network there. */
  ofDevice: number;
  ofDeviceWithDeleted: number;
  ofMapping: number;
  ofVisitor: number;
};

/**
 * How many proofs there are whose cookies have not run out, also of mappings that are deleted; no more than `most` of the
 * device's are looked at.
 */
export async function countProofs(db: Db, coming: ComingProof, most: number): Promise<ProofCounts> {
  const { mappingId, deviceId, host, grantedBy, sessionId, userId, network } = coming;
  const isSameAddress = sql`(mapping_id = ${mappingId} or host = ${host})`;
  const isThere = sql`mapping_id in (select id from mapping where device_id = ${deviceId})`;
  const isSameVisitor =
    grantedBy === 'member'
      ? sql`granted_by = 'member' and user_id = ${userId}`
      : sql`granted_by in ('password', 'share') and visitor_network = ${network}`;
  const { rows } = await sql<ProofCounts>`
    select
      (select count(*) from (
        select from verification where session_id = ${sessionId} and cookie_expires_at > now() limit ${most}
      ) as opened) as of_login,
      count(*) filter (where granted_by = 'owner') as of_owner,
      count(*) filter (where granted_by <> 'owner' and ${isThere}) as of_device,
      count(*) filter (where granted_by <> 'owner') as of_device_with_deleted,
      count(*) filter (where granted_by <> 'owner' and ${isSameAddress}) as of_mapping,
      count(*) filter (where ${isSameAddress} and ${isSameVisitor}) as of_visitor
    from (
      select mapping_id, host, granted_by, user_id, visitor_network
      from verification
      where device_id = ${deviceId} and cookie_expires_at > now()
      limit ${most}
    ) as living`.execute(db);
  return rows[0] ?? { ofLogin: 0, ofOwner: 0, ofDevice: 0, ofDeviceWithDeleted: 0, ofMapping: 0, ofVisitor: 0 };
}

/** Whether this proof is one of those that relays know of, because it is an address or was extended. */
export async function isToldProof(tx: Db, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('verification')
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where('publishedUntil', '>', sql<Date>`now()`)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** How many of those there are at all mappings of an account; no more than `most` are counted. */
export async function countToldProofs(tx: Db, ownerId: number, most: number): Promise<number> {
  const { count } = await tx
    .selectFrom((eb) =>
      eb
        .selectFrom('verification')
        .innerJoin('mapping', 'mapping.id', 'verification.mappingId')
        .innerJoin('device', 'device.id', 'mapping.deviceId')
        .where('device.userId', '=', ownerId)
        .where('verification.revokedAt', 'is', null)
        .where('verification.publishedUntil', '>', sql<Date>`now()`)
        .select('verification.id')
        .limit(most)
        .as('told'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
