import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type ShareLinkRow = {
  id: number;
  mappingId: number;
  codeHash: Buffer;
  codeSealed: Buffer;
  label: string;
  createdAt: Date;
  expiresAt: Date;
  maxUses: number | null;
  uses: number;
  revokedAt: Date | null;
};

export type LinkTarget = { mappingId: number; ownerId: number; hasEnded: boolean };

const columns = [
  ...(['id', 'mappingId', 'codeHash', 'codeSealed', 'label', 'createdAt'] as const),
  ...(['expiresAt', 'maxUses', 'uses', 'revokedAt'] as const),
] as const;

// As long as verifications are kept.
const endedLinkRetention = sql`interval '90 days'`;

export async function deleteOldShareLinks(db: Db): Promise<void> {
  await db
    .deleteFrom('shareLink')
    .where(sql<boolean>`least(expires_at, revoked_at) < now() - ${endedLinkRetention}`)
    .execute();
}

export async function insertShareLink(
  tx: Db,
  link: Pick<ShareLinkRow, 'mappingId' | 'codeHash' | 'codeSealed' | 'label' | 'maxUses'>,
  validHours: number,
): Promise<ShareLinkRow> {
  return await tx
    .insertInto('shareLink')
    .values({ ...link, expiresAt: sql`now() + make_interval(hours => ${validHours})` })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** The mapping's links, ended ones included, the newest first. */
export async function listShareLinks(db: Db, mappingId: number): Promise<ShareLinkRow[]> {
  return await db
    .selectFrom('shareLink')
    .where('mappingId', '=', mappingId)
    .orderBy('id', 'desc')
    .select(columns)
    .execute();
}

export async function findOwnShareLink(
  db: Db,
  { id, userId }: { id: number; userId: number },
): Promise<ShareLinkRow | undefined> {
  return await db
    .selectFrom('shareLink')
    .innerJoin('mapping', 'mapping.id', 'shareLink.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('shareLink.id', '=', id)
    .where('device.userId', '=', userId)
    .select(columns.map((column) => `shareLink.${column}` as const))
    .executeTakeFirst();
}

/** How many of a mapping's links have not ended. */
export async function countActiveLinks(tx: Db, mappingId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('shareLink')
    .where('mappingId', '=', mappingId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The owner's links of the last 24 hours, the newest first, with the seconds after which each leaves this window. */
export async function listLinksOfLastDay(
  tx: Db,
  ownerId: number,
  limit: number,
): Promise<{ agesOutInSeconds: number }[]> {
  const agesOutAt = sql`share_link.created_at + interval '24 hours'`;
  return await tx
    .selectFrom('shareLink')
    .innerJoin('mapping', 'mapping.id', 'shareLink.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('device.userId', '=', ownerId)
    .where(sql<boolean>`${agesOutAt} > now()`)
    .orderBy('shareLink.createdAt', 'desc')
    .limit(limit)
    .select(sql<number>`ceil(extract(epoch from ${agesOutAt} - now()))::integer`.as('agesOutInSeconds'))
    .execute();
}

/** The mapping of the owner's link, and whether the link is revoked. */
export async function findMappingOfLink(
  db: Db,
  link: { id: number; ownerId: number },
): Promise<{ mappingId: number; isRevoked: boolean } | undefined> {
  return await db
    .selectFrom('shareLink')
    .innerJoin('mapping', 'mapping.id', 'shareLink.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('shareLink.id', '=', link.id)
    .where('device.userId', '=', link.ownerId)
    .select('shareLink.mappingId')
    .select(sql<boolean>`share_link.revoked_at is not null`.as('isRevoked'))
    .executeTakeFirst();
}

/** False when the link is already revoked; the time of its revocation stays. */
export async function markLinkRevoked(tx: Db, id: number): Promise<boolean> {
  const row = await tx
    .updateTable('shareLink')
    .set({ revokedAt: sql`now()` })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The mapping's link with this code, as long as another browser may use it. */
export async function findUsableLink(
  db: Db,
  { mappingId, codeHash }: { mappingId: number; codeHash: Buffer },
): Promise<{ id: number } | undefined> {
  return await db
    .selectFrom('shareLink')
    .where('codeHash', '=', codeHash)
    .where('mappingId', '=', mappingId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where((eb) => eb.or([eb('maxUses', 'is', null), eb('uses', '<', eb.ref('maxUses'))]))
    .select('id')
    .executeTakeFirst();
}

/** The mapping that a link leads to, and whether the link was revoked or has expired. */
export async function findMappingOfCodeHash(db: Db, codeHash: Buffer): Promise<LinkTarget | undefined> {
  return await db
    .selectFrom('shareLink')
    .innerJoin('mapping', 'mapping.id', 'shareLink.mappingId')
    .innerJoin('device', 'device.id', 'mapping.deviceId')
    .where('codeHash', '=', codeHash)
    .select(['shareLink.mappingId', 'device.userId as ownerId'])
    .select(sql<boolean>`(revoked_at is not null or share_link.expires_at <= now())`.as('hasEnded'))
    .executeTakeFirst();
}

/** The link, as long as it has neither expired nor been revoked. It may have no uses left. */
export async function findActiveLink(tx: Db, id: number): Promise<{ label: string; expiresAt: Date } | undefined> {
  return await tx
    .selectFrom('shareLink')
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .select(['label', 'expiresAt'])
    .executeTakeFirst();
}

/** Counts a browser; undefined when the link has ended or has no uses left. */
export async function useShareLink(tx: Db, id: number): Promise<{ label: string; expiresAt: Date } | undefined> {
  // One statement, so that of two concurrent browsers only one gets the last use.
  return await tx
    .updateTable('shareLink')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where((eb) => eb.or([eb('maxUses', 'is', null), eb('uses', '<', eb.ref('maxUses'))]))
    .returning(['label', 'expiresAt'])
    .executeTakeFirst();
}
