import { sql, type Selectable } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { Database } from '../../db/schema.ts';

type Columns = Selectable<Database['siteEntry']>;
export type ImageColumns = Pick<Columns, 'image' | 'imageType' | 'imageSha256'>;
export type SiteEntryKind = Columns['kind'];
export type SiteEntryRow = Omit<Columns, 'image' | 'imageType'>;
/** Absent columns of the image stay as they are. */
export type SiteEntryFields = Omit<SiteEntryRow, 'id' | 'kind' | 'revision' | 'imageSha256'> & Partial<ImageColumns>;

const columns = [
  ...(['id', 'kind', 'title', 'detail', 'url', 'qrText', 'position'] as const),
  ...(['display', 'startsAt', 'endsAt', 'imageSha256', 'revision'] as const),
] as const;

export async function listSiteEntries(db: Db): Promise<SiteEntryRow[]> {
  return await db.selectFrom('siteEntry').select(columns).orderBy('position').orderBy('id').execute();
}

/** Those that users see now. */
export async function listShownEntries(db: Db, kind: SiteEntryKind): Promise<SiteEntryRow[]> {
  return await db
    .selectFrom('siteEntry')
    .select(columns)
    .where('kind', '=', kind)
    .where('display', '=', true)
    .where(sql<boolean>`coalesce(starts_at <= now(), true) and coalesce(ends_at > now(), true)`)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Undefined when there are `max` already. The lock lets one transaction at a time count. */
export async function insertSiteEntry(
  tx: Db,
  entry: SiteEntryFields & { kind: SiteEntryKind },
  max: number,
): Promise<SiteEntryRow | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('site entries'))`.execute(tx);
  const { count } = await tx
    .selectFrom('siteEntry')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= max) return undefined;
  return await tx.insertInto('siteEntry').values(entry).returning(columns).executeTakeFirstOrThrow();
}

export async function findSiteEntryForUpdate(tx: Db, id: number): Promise<SiteEntryRow | undefined> {
  return await tx.selectFrom('siteEntry').select(columns).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function updateSiteEntry(
  tx: Db,
  { id, revision }: { id: number; revision: number },
  fields: SiteEntryFields,
): Promise<SiteEntryRow> {
  return await tx
    .updateTable('siteEntry')
    .set({ ...fields, revision: revision + 1 })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Returns it as it was; undefined when there was none. */
export async function deleteSiteEntry(tx: Db, id: number): Promise<SiteEntryRow | undefined> {
  return await tx.deleteFrom('siteEntry').where('id', '=', id).returning(columns).executeTakeFirst();
}

export async function findImage(db: Db, sha256: string): Promise<{ bytes: Buffer; type: string } | undefined> {
  return await db
    .selectFrom('siteEntry')
    .where('imageSha256', '=', sha256)
    .select((eb) => [eb.ref('image').$notNull().as('bytes'), eb.ref('imageType').$notNull().as('type')])
    .limit(1)
    .executeTakeFirst();
}
