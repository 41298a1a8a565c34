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
/** An announcement as somebody has seen it. */
export type SeenAnnouncement = { id: number; revision: number };

const columns = ['id', 'title', 'detail', 'url', 'display', 'startsAt', 'endsAt', 'createdAt', 'revision'] as const;
const isTime = sql<boolean>`coalesce(starts_at <= now(), true) and coalesce(ends_at > now(), true)`;

/** What everybody sees of an announcement; `id` is the number under which it was published. */
export type DisplayedAnnouncement = Pick<AnnouncementFields, 'title' | 'detail' | 'url' | 'display'> & {
  id: number;
  publishedAt: Date;
};

/** Those that everybody sees now, by the number under which they were published. */
export async function listDisplayed(db: Db): Promise<DisplayedAnnouncement[]> {
  return await db
    .selectFrom('announcement')
    .select(['title', 'detail', 'url', 'display'])
    .select((eb) => eb.ref('number').$notNull().as('id'))
    .select((eb) => eb.fn.coalesce('publishedAt', 'startsAt', 'createdAt').as('publishedAt'))
    .where('number', 'is not', null)
    .where('display', '=', true)
    .where(isTime)
    .orderBy('number')
    .execute();
}

/** The number of the one that was published last, whether it is shown or not; 0 when none was. */
export async function findNewestNumber(db: Db): Promise<number> {
  const { newest } = await db
    .selectFrom('announcement')
    .select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.lit(0)).as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/**
 * Lets one transaction at a time give numbers, until it has ended: what is read last is remembered by its number, so that a
 * lower one must not be seen after a higher one. To be called before anything else, so that nobody who holds this waits for
 * the row of somebody who waits for it.
 */
export async function lockNumbers(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('announcement numbers'))`.execute(tx);
}

/** Gives those whose time has come the next numbers, after `lockNumbers`. Returns how many there were. */
export async function numberDue(tx: Db): Promise<number> {
  const due = await tx
    .updateTable('announcement')
    .set({ number: sql`nextval('announcement_number_seq')`, publishedAt: sql<Date>`now()` })
    .where('number', 'is', null)
    .where('display', '=', true)
    .where(isTime)
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

/** Undefined: there is none, or it has been changed since. */
export async function updateAnnouncement(
  tx: Db,
  { id, revision }: SeenAnnouncement,
  fields: AnnouncementFields,
): Promise<AnnouncementRow | undefined> {
  return await tx
    .updateTable('announcement')
    .set({ ...fields, revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returning(columns)
    .executeTakeFirst();
}

export async function announcementExists(tx: Db, id: number): Promise<boolean> {
  const row = await tx.selectFrom('announcement').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** False: there was none. */
export async function deleteAnnouncement(tx: Db, id: number): Promise<boolean> {
  const row = await tx.deleteFrom('announcement').where('id', '=', id).returning('id').executeTakeFirst();
  return row !== undefined;
}
