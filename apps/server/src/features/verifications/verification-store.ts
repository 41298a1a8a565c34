import type { GrantedBy } from '@tongtu/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type NewVerification = {
  kind: 'cookie' | 'ip';
  grantedBy: GrantedBy;
  /** How the mapping's owner knows the visitor: name of the account, member or share link. */
  who?: string;
  /** The user who was logged in. */
  userId: number | null;
  /** Owner of the mapping. The caller has locked the mapping, because a deletion revokes all its verifications. */
  ownerId: number;
  deviceId: number;
  mappingId: number;
  memberId?: number | null;
  shareLinkId?: number | null;
  /** The login with which it ends. The caller has locked it. */
  sessionId?: number | null;
  host: string;
  visitorIp: string;
  /** The network for whose limits a browser counts. */
  visitorNetwork?: string;
  userAgent: string;
};

/** Grounds whose proofs are revoked. */
export type Grounds =
  | { mappingId: number; grantedBy: 'password' }
  | { memberIds: readonly number[] }
  | { shareLinkId: number };

// Owners can see records for this time.
const retention = sql`interval '90 days'`;

// One statement deletes this many rows within the statement timeout, also on a slow machine.
const BATCH_SIZE = 20_000;

/** Not revoked and not expired. Uses clock_timestamp, because the transaction may have waited for a lock. */
export const isValidNow = sql`revoked_at is null and expires_at > clock_timestamp()`;

/** Deletes verifications 90 days after they expired or were revoked. */
export async function deleteOldVerifications(db: Db, { batchSize = BATCH_SIZE } = {}): Promise<void> {
  const isOld = sql`least(expires_at, revoked_at) < now() - ${retention}`;
  while ((await deleteBatch(db, isOld, batchSize)) === batchSize);
}

/** Deletes a batch of expired or revoked verifications of this owner. False if there are no more. */
export async function deleteEndedVerificationsOf(tx: Db, ownerId: number, batchSize = BATCH_SIZE): Promise<boolean> {
  const hasEnded = sql`owner_id = ${ownerId} and least(expires_at, revoked_at) < now()`;
  return (await deleteBatch(tx, hasEnded, batchSize)) === batchSize;
}

/** Returns the number of deleted rows. Locked rows are skipped and deleted next time. */
async function deleteBatch(db: Db, which: RawBuilder<unknown>, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with ended as materialized (select id from verification where ${which} limit ${limit} for update skip locked)
    delete from verification using ended where verification.id = ended.id`.execute(db);
  return Number(numAffectedRows);
}

/**
 * Deletes all verifications of this owner, before the account is deleted. First locks, in the order of their ids, those
 * that are or were valid within the last minute, because others may be locking them in that order.
 */
export async function deleteVerificationsOf(tx: Db, ownerId: number): Promise<void> {
  await sql`
    select from verification where owner_id = ${ownerId} and least(expires_at, revoked_at) > now() - interval '1 minute'
    order by id for update`.execute(tx);
  await tx.deleteFrom('verification').where('ownerId', '=', ownerId).execute();
}

/** Inserts a verification for `validHours`, or until `notAfter` if that is earlier. */
export async function insertVerification(
  tx: Db,
  { kind, ...verification }: NewVerification,
  { validHours, notAfter = null }: { validHours: number; notAfter?: Date | null },
): Promise<{ id: number; expiresAt: Date }> {
  const expiresAt = sql<Date>`least(now() + make_interval(hours => ${validHours}), ${notAfter}::timestamptz)`;
  return await tx
    .insertInto('verification')
    .values({ ...verification, kind, expiresAt, cookieExpiresAt: kind === 'cookie' ? expiresAt : null })
    .returning(['id', 'expiresAt'])
    .executeTakeFirstOrThrow();
}

/** Whether this proof was granted by this share link and is not revoked. */
export async function wasGrantedByLink(tx: Db, proof: { id: number; shareLinkId: number }): Promise<boolean> {
  const row = await tx
    .selectFrom('verification')
    .where('id', '=', proof.id)
    .where('shareLinkId', '=', proof.shareLinkId)
    .where('revokedAt', 'is', null)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Extends a valid verification of this address and returns its id, or undefined if there is none. It then ends with the
 * login that requested it last. That of a marked client ends with no login.
 */
export async function extendVerifiedIp(
  tx: Db,
  proof: { mappingId: number; visitorIp: string; sessionId: number | null },
  validHours: number,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('verification')
    .set({
      expiresAt: sql`greatest(expires_at, clock_timestamp() + make_interval(hours => ${validHours}))`,
      sessionId: sql`case granted_by when 'own_address' then ${proof.sessionId}::integer end`,
    })
    .where('kind', '=', 'ip')
    .where('mappingId', '=', proof.mappingId)
    .where('visitorIp', '=', proof.visitorIp)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`clock_timestamp()`)
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** The addresses that the user verified in the last 24 hours, newest first, `limit` at most. */
export async function listNewIpsOfLastDay(
  tx: Db,
  userId: number,
  limit: number,
): Promise<{ expiresInSeconds: number }[]> {
  return await tx
    .selectFrom('verification')
    .where('kind', '=', 'ip')
    .where('userId', '=', userId)
    .where('createdAt', '>', sql<Date>`clock_timestamp() - interval '24 hours'`)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .select(
      sql<number>`ceil(extract(epoch from created_at + interval '24 hours' - clock_timestamp()))::integer`.as(
        'expiresInSeconds',
      ),
    )
    .execute();
}

/** The latest end of an address's valid verifications, for one mapping or for any. */
export async function findVerifiedUntil(
  db: Db,
  { visitorIp, mappingId }: { visitorIp: string; mappingId: number | undefined },
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('verification')
    .where('kind', '=', 'ip')
    .where('visitorIp', '=', visitorIp)
    .$if(mappingId !== undefined, (query) => query.where('mappingId', '=', mappingId ?? 0))
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .orderBy('expiresAt', 'desc')
    .limit(1)
    .select('expiresAt')
    .executeTakeFirst();
  return row?.expiresAt;
}

/** What an address may open of one owner's mappings as a verified address. */
export async function listAllowedMappings(
  db: Db,
  { ownerId, visitorIp }: { ownerId: number; visitorIp: string },
): Promise<{ id: number; mappingId: number; expiresAt: Date }[]> {
  return await db
    .selectFrom('verification')
    .innerJoin('mapping', 'mapping.id', 'verification.mappingId')
    .where('verification.kind', '=', 'ip')
    .where('verification.visitorIp', '=', visitorIp)
    .where('verification.ownerId', '=', ownerId)
    .where('verification.revokedAt', 'is', null)
    .where('verification.expiresAt', '>', sql<Date>`now()`)
    .orderBy('verification.id')
    .select(['verification.id', 'verification.mappingId', 'verification.expiresAt'])
    .execute();
}

/**
 * Revokes a verification. Returns the id of its mapping, which may be deleted. Undefined if the owner has no such
 * verification, or if it was revoked before, which keeps its time.
 */
export async function markRevoked(tx: Db, id: number, ownerId: number): Promise<number | undefined> {
  const row = await tx
    .updateTable('verification')
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .where('revokedAt', 'is', null)
    .set({ revokedAt: sql`now()` })
    .returning('mappingId')
    .executeTakeFirst();
  return row?.mappingId;
}

/** Whether the owner has this verification, valid or not. */
export async function isRecordOf(db: Db, id: number, ownerId: number): Promise<boolean> {
  const row = await db
    .selectFrom('verification')
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Extends a verification. False if the owner has no such verification, or if it is revoked. */
export async function markExtended(
  tx: Db,
  { id, ownerId, hours }: { id: number; ownerId: number; hours: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('verification')
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where('ownerId', '=', ownerId)
    .set({ expiresAt: sql`greatest(expires_at, now() + make_interval(hours => ${hours}))` })
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Revokes every valid proof of these grounds in one statement, because there may be too many ids to pass on. Locks them in
 * the order of their ids, because the end of a login may revoke the same ones.
 */
export async function markGroundsRevoked(tx: Db, grounds: Grounds): Promise<void> {
  await sql`
    with locked as materialized (select id from verification where ${proofsOn(grounds)} order by id for update)
    update verification set revoked_at = now() from locked where verification.id = locked.id and ${isValidNow}
  `.execute(tx);
}

function proofsOn(grounds: Grounds): RawBuilder<unknown> {
  if ('memberIds' in grounds) return sql`member_id = any(${grounds.memberIds}::integer[]) and ${isValidNow}`;
  if ('shareLinkId' in grounds) return sql`share_link_id = ${grounds.shareLinkId} and ${isValidNow}`;
  return sql`mapping_id = ${grounds.mappingId} and granted_by = ${grounds.grantedBy} and ${isValidNow}`;
}
