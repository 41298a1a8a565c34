import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type VerificationRow = {
  id: number;
  mappingId: number;
  deviceId: number;
  kind: 'cookie' | 'ip';
  host: string;
  /** Of tcp and udp mappings. */
  port: number | null;
  visitorIp: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
};

type Proof = {
  kind: 'cookie' | 'ip';
  userId: number;
  mappingId: number;
  host: string;
  visitorIp: string;
  userAgent: string;
};

// As long as their owners may look at them (product.md §7).
const verificationsKept = sql`interval '90 days'`;

export async function deleteOldVerifications(db: Db): Promise<void> {
  await db
    .deleteFrom('verification')
    .where('expiresAt', '<', sql<Date>`now() - ${verificationsKept}`)
    .execute();
}

export async function insertVerification(
  tx: Db,
  proof: Proof,
  validHours: number,
): Promise<{ id: number; expiresAt: Date }> {
  return await tx
    .insertInto('verification')
    .values({
      ...proof,
      expiresAt: sql`now() + make_interval(hours => ${validHours})`,
      cookieExpiresAt: proof.kind === 'cookie' ? sql`now() + make_interval(hours => ${validHours})` : null,
    })
    .returning(['id', 'expiresAt'])
    .executeTakeFirstOrThrow();
}

/** Makes other calls of this user for an address wait until the transaction ends. */
export async function lockUser(tx: Db, userId: number): Promise<void> {
  await tx.selectFrom('userAccount').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

/** The id of a verification of this address that still counted and now counts longer; undefined when there is none. */
export async function extendVerifiedIp(
  tx: Db,
  proof: { userId: number; mappingId: number; visitorIp: string },
  validHours: number,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('verification')
    .set({ expiresAt: sql`clock_timestamp() + make_interval(hours => ${validHours})` })
    .where('kind', '=', 'ip')
    .where('userId', '=', proof.userId)
    .where('mappingId', '=', proof.mappingId)
    .where('visitorIp', '=', proof.visitorIp)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`clock_timestamp()`)
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Seconds until the user may let another address pass when `limit` were in the last 24 hours; 0: at once. */
export async function secondsUntilNextIp(tx: Db, userId: number, limit: number): Promise<number> {
  const row = await tx
    .selectFrom('verification')
    .where('kind', '=', 'ip')
    .where('userId', '=', userId)
    .where('createdAt', '>', sql<Date>`clock_timestamp() - interval '24 hours'`)
    .orderBy('createdAt', 'desc')
    .offset(limit - 1)
    .limit(1)
    .select(
      sql<number>`ceil(extract(epoch from created_at + interval '24 hours' - clock_timestamp()))::integer`.as(
        'seconds',
      ),
    )
    .executeTakeFirst();
  return row === undefined ? 0 : Math.max(1, row.seconds);
}

function selectVerification(db: Db, ownerId: number) {
  return db
    .selectFrom('verification')
    .innerJoin('mapping', 'mapping.id', 'verification.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('device.userId', '=', ownerId);
}

function selectRow(db: Db, ownerId: number) {
  return selectVerification(db, ownerId)
    .select([
      'verification.id',
      'verification.mappingId',
      'verification.kind',
      'verification.host',
      'mapping.port',
      'mapping.deviceId',
    ])
    .select(['verification.visitorIp', 'verification.userAgent', 'verification.createdAt'])
    .select(['verification.expiresAt', 'verification.revokedAt']);
}

export async function findVerification(db: Db, id: number, ownerId: number): Promise<VerificationRow | undefined> {
  return await selectRow(db, ownerId).where('verification.id', '=', id).executeTakeFirst();
}

type Choice = { ownerId: number; mappingId: number | undefined };

/** Of the mappings of one owner, or of one of them; the newest first. */
export async function listVerificationRows(
  db: Db,
  { ownerId, mappingId }: Choice,
  page: { limit: number; offset: number },
): Promise<VerificationRow[]> {
  return await selectRow(db, ownerId)
    .$if(mappingId !== undefined, (query) => query.where('mapping.id', '=', mappingId ?? 0))
    .orderBy('verification.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countVerifications(db: Db, { ownerId, mappingId }: Choice): Promise<number> {
  const { count } = await selectVerification(db, ownerId)
    .$if(mappingId !== undefined, (query) => query.where('mapping.id', '=', mappingId ?? 0))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The device whose visitor it was; undefined when the owner has no such record. The first revocation's time stays. */
export async function markRevoked(tx: Db, id: number, ownerId: number): Promise<number | undefined> {
  const row = await tx
    .updateTable('verification')
    .from('mapping')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .whereRef('mapping.id', '=', 'verification.mappingId')
    .where('verification.id', '=', id)
    .where('device.userId', '=', ownerId)
    .set({ revokedAt: sql`coalesce(verification.revoked_at, now())` })
    .returning('mapping.deviceId')
    .executeTakeFirst();
  return row?.deviceId;
}
