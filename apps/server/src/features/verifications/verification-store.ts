import type { GrantedBy } from '@tongtu/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type NewVerification = {
  kind: 'cookie' | 'ip';
  grantedBy: GrantedBy;
  /** The account, member or share link as the mapping's owner knows it. */
  who?: string;
  /** Who was logged in. */
  userId: number | null;
  /** Whose mapping it is, and on which device. It must be held: the records of one that is deleted have ended. */
  ownerId: number;
  deviceId: number;
  mappingId: number;
  memberId?: number | null;
  shareLinkId?: number | null;
  /** The login that it ends with; it must be held. */
  sessionId?: number | null;
  host: string;
  visitorIp: string;
  /** Whose limits a browser counts in. */
  visitorNetwork?: string;
  userAgent: string;
};

/** On what grounds visitors were let in who are to come no more. */
export type Grounds =
  | { mappingId: number; grantedBy: 'password' }
  | { memberIds: readonly number[] }
  | { shareLinkId: number };

// As long as their owners may look at them.
const verificationsKept = sql`interval '90 days'`;

// Of any number of records: what one statement deletes before its time is over, on a slow machine as well.
const DELETED_AT_ONCE = 20_000;

/** Judged anew by each statement: it may have waited. */
export const stillCounts = sql`revoked_at is null and expires_at > clock_timestamp()`;

/** Also those that were to count for a year, but were ended early. */
export async function deleteOldVerifications(db: Db, { atOnce = DELETED_AT_ONCE } = {}): Promise<void> {
  const isOld = sql`least(expires_at, revoked_at) < now() - ${verificationsKept}`;
  while ((await deleteSome(db, isOld, atOnce)) === atOnce);
}

/** Some of the records of who was let in by this account and has been sent out, or left. False when there are no more. */
export async function deleteEndedVerificationsOf(tx: Db, ownerId: number, atOnce = DELETED_AT_ONCE): Promise<boolean> {
  const hasEnded = sql`owner_id = ${ownerId} and least(expires_at, revoked_at) < now()`;
  return (await deleteSome(tx, hasEnded, atOnce)) === atOnce;
}

/** How many that was. What somebody is about to change is looked at next time, instead of waiting for each other. */
async function deleteSome(db: Db, which: RawBuilder<unknown>, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with ended as materialized (select id from verification where ${which} limit ${limit} for update skip locked)
    delete from verification using ended where verification.id = ended.id`.execute(db);
  return Number(numAffectedRows);
}

/**
 * All records of who was let in by this account: before it is deleted itself. Those that count are locked first, in the
 * order of their ids, as by everybody who ends some, and those that did lately: others may have begun to lock them.
 */
export async function deleteVerificationsOf(tx: Db, ownerId: number): Promise<void> {
  await sql`
    select from verification where owner_id = ${ownerId} and least(expires_at, revoked_at) > now() - interval '1 minute'
    order by id for update`.execute(tx);
  await tx.deleteFrom('verification').where('ownerId', '=', ownerId).execute();
}

/** For so many hours, but no longer than `notAfter`. */
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

/** Whether this proof was had by this share link and has not been ended. */
export async function cameByLink(tx: Db, proof: { id: number; shareLinkId: number }): Promise<boolean> {
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
 * The id of a verification of this address that still counted and now counts longer; undefined when there is none. It then
 * ends with the login that asked for it last, unless it is a marked client's, which ends with none.
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

/** When the user let addresses pass in the last 24 hours, the newest first; `limit` of them at the most. */
export async function listNewIpsOfLastDay(tx: Db, userId: number, limit: number): Promise<{ freeInSeconds: number }[]> {
  return await tx
    .selectFrom('verification')
    .where('kind', '=', 'ip')
    .where('userId', '=', userId)
    .where('createdAt', '>', sql<Date>`clock_timestamp() - interval '24 hours'`)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .select(
      sql<number>`ceil(extract(epoch from created_at + interval '24 hours' - clock_timestamp()))::integer`.as(
        'freeInSeconds',
      ),
    )
    .execute();
}

/** Until when an address counts as verified, at the longest: for one mapping, or for any. */
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
 * The mapping whose visitor it was, which may be deleted; undefined when the owner has no such record, or it was revoked
 * already: the first revocation's time stays.
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

/** Whether this is a record of the owner's, ended or not. */
export async function isRecordOf(db: Db, id: number, ownerId: number): Promise<boolean> {
  const row = await db
    .selectFrom('verification')
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** False when the owner has no such record, or it was revoked. */
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
 * Ends every proof that was had on these grounds. No list of ids leaves the database, for there may be any number. They are
 * locked first, in the order of their ids, since the end of a login may end the same ones.
 */
export async function markGroundsRevoked(tx: Db, grounds: Grounds): Promise<void> {
  await sql`
    with locked as materialized (select id from verification where ${proofsOn(grounds)} order by id for update)
    update verification set revoked_at = now() from locked where verification.id = locked.id and ${stillCounts}
  `.execute(tx);
}

function proofsOn(grounds: Grounds): RawBuilder<unknown> {
  if ('memberIds' in grounds) return sql`member_id = any(${grounds.memberIds}::integer[]) and ${stillCounts}`;
  if ('shareLinkId' in grounds) return sql`share_link_id = ${grounds.shareLinkId} and ${stillCounts}`;
  return sql`mapping_id = ${grounds.mappingId} and granted_by = ${grounds.grantedBy} and ${stillCounts}`;
}
