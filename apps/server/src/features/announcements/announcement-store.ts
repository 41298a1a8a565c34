import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type AnnouncementFields = {
  title: string;
  detail: string;
  url: string;
  display: boolean;
  startsAt: Date | null;
  endsAt: Date | null;
};

export type AnnouncementRow = AnnouncementFields & { id: number; createdAt: Date; revision: number };
/** The version of an announcement that an editor has seen. */
export type AnnouncementVersion = { id: number; revision: number };

const columns = ['id', 'title', 'detail', 'url', 'display', 'startsAt', 'endsAt', 'createdAt', 'revision'] as const;
const isCurrent = sql<boolean>`coalesce(starts_at <= now(), true) and coalesce(ends_at > now(), true)`;

/** What everybody sees of an announcement; `id` is the number under which it was published. */
export type DisplayedAnnouncement = Pick<AnnouncementFields, 'title' | 'detail' | 'url' | 'display'> & {
  id: number;
  publishedAt: Date;
};

/** Lists the announcements that are shown now, in the order of their numbers. */
export async function listDisplayed(db: Db): Promise<DisplayedAnnouncement[]> {
  return await db
    .selectFrom('announcement')
    .select(['title', 'detail', 'url', 'display'])
    .select((eb) => eb.ref('number').$notNull().as('id'))
    .select((eb) => eb.fn.coalesce('publishedAt', 'startsAt', 'createdAt').as('publishedAt'))
    .where('number', 'is not', null)
    .where('display', '=', true)
    .where(isCurrent)
    .orderBy('number')
    .execute();
}

/** The highest number so far, whether its announcement is still shown or not; 0 when there is none. */
export async function findNewestNumber(db: Db): Promise<number> {
  const { newest } = await db
    .selectFrom('announcement')
    .select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.lit(0)).as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/**
 * Lets one transaction at a time assign numbers. Consoles remember the highest number that was read, so a lower number
 * must not become visible after a higher one. Call it first in a transaction, before any row is locked, to avoid deadlocks.
 */
export async function lockNumbers(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('announcement numbers'))`.execute(tx);
}

/** Assigns the next numbers to announcements that have become due. Needs `lockNumbers`. Returns how many there were. */
export async function assignDueNumbers(tx: Db): Promise<number> {
  const due = await tx
    .updateTable('announcement')
    .set({ number: sql`nextval('announcement_number_seq')`, publishedAt: sql<Date>`now()` })
    .where('number', 'is', null)
    .where('display', '=', true)
    .where(isCurrent)
    .returning('id')
    .execute();
  return due.length;
}

export async function listAnnouncements(db: Db, page: { limit: number; offset: number }): Promise<AnnouncementRow[]> {
  return await db
    .selectFrom('announcement')
    .select(columns)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countAnnouncements(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('announcement')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertAnnouncement(tx: Db, fields: AnnouncementFields): Promise<AnnouncementRow> {
  return await tx.insertInto('announcement').values(fields).returning(columns).executeTakeFirstOrThrow();
}

/** Returns undefined when the announcement does not exist or has another revision. */
export async function updateAnnouncement(
  tx: Db,
  { id, revision }: AnnouncementVersion,
  fields: AnnouncementFields,
): Promise<AnnouncementRow | undefined> {
  return await tx
    .updateTable('announcement')
    .set((column) => ({ ...fields, revision: column('revision', '+', 1) }))
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returning(columns)
    .executeTakeFirst();
}

export async function findAnnouncement(tx: Db, id: number): Promise<AnnouncementRow | undefined> {
  return await tx.selectFrom('announcement').where('id', '=', id).select(columns).executeTakeFirst();
}

/** Returns it as it was; undefined when there was none. */
export async function deleteAnnouncement(tx: Db, id: number): Promise<AnnouncementRow | undefined> {
  return await tx.deleteFrom('announcement').where('id', '=', id).returning(columns).executeTakeFirst();
}
