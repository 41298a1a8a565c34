import type { Announcement } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';

export async function listDisplayed(db: Db): Promise<Announcement[]> {
  return await db
    .selectFrom('announcement')
    .select(['id', 'title', 'detail', 'url', 'display'])
    .where('display', '=', true)
    .orderBy('id')
    .execute();
}

export async function insertAnnouncement(db: Db, announcement: { title: string; detail: string }): Promise<void> {
  await db.insertInto('announcement').values(announcement).execute();
}
