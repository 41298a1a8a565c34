import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

/** A proof that a visitor requests. */
export type RequestedProof = {
  mappingId: number;
  deviceId: number;
  /** The mapping's name. A deleted mapping of the same name counts as the same one. */
  host: string;
  grantedBy: 'owner' | 'member' | 'password' | 'share';
  sessionId: number | null;
  /** The logged-in user. A member who was removed and added again counts as the same one. */
  userId: number | null;
  /** The visitor's network, as limits count it. */
  network: string;
};

export type ProofCounts = {
  /** Proofs of the same login. */
  ofLogin: number;
  /** The owner's proofs at this device. */
  ofOwner: number;
  // The other proofs: at this device without and with deleted mappings, at this mapping, and of this visitor there.
  ofDevice: number;
  ofDeviceWithDeleted: number;
  ofMapping: number;
  ofVisitor: number;
};

/**
 * Counts proofs whose cookies have not expired, also those of deleted mappings. At limit `limit` of the device's proofs are
 * read.
 */
export async function countProofs(db: Db, requested: RequestedProof, limit: number): Promise<ProofCounts> {
  const { mappingId, deviceId, host, grantedBy, sessionId, userId, network } = requested;
  const isSameAddress = sql`(mapping_id = ${mappingId} or host = ${host})`;
  const isExistingMapping = sql`mapping_id in (select id from mapping where device_id = ${deviceId})`;
  const isSameVisitor =
    grantedBy === 'member'
      ? sql`granted_by = 'member' and user_id = ${userId}`
      : sql`granted_by in ('password', 'share') and visitor_network = ${network}`;
  const { rows } = await sql<ProofCounts>`
    select
      (select count(*) from (
        select from verification where session_id = ${sessionId} and cookie_expires_at > now() limit ${limit}
      ) as session_proof) as of_login,
      count(*) filter (where granted_by = 'owner') as of_owner,
      count(*) filter (where granted_by <> 'owner' and ${isExistingMapping}) as of_device,
      count(*) filter (where granted_by <> 'owner') as of_device_with_deleted,
      count(*) filter (where granted_by <> 'owner' and ${isSameAddress}) as of_mapping,
      count(*) filter (where ${isSameAddress} and ${isSameVisitor}) as of_visitor
    from (
      select mapping_id, host, granted_by, user_id, visitor_network
      from verification
      where device_id = ${deviceId} and cookie_expires_at > now()
      limit ${limit}
    ) as unexpired`.execute(db);
  return rows[0] ?? { ofLogin: 0, ofOwner: 0, ofDevice: 0, ofDeviceWithDeleted: 0, ofMapping: 0, ofVisitor: 0 };
}

/** Whether relays are sent this proof, because it is a verified address or was extended. */
export async function isPublishedProof(tx: Db, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('verification')
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where('publishedUntil', '>', sql<Date>`now()`)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the published proofs at all mappings of an account, `limit` at most. */
export async function countPublishedProofs(tx: Db, ownerId: number, limit: number): Promise<number> {
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
        .limit(limit)
        .as('published'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
