import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceToEverybody } from '../live/index.ts';
import {
  announcementExists,
  deleteAnnouncement,
  insertAnnouncement,
  lockNumbers,
  numberDue,
  updateAnnouncement,
  type AnnouncementFields,
  type AnnouncementRow,
  type SeenAnnouncement,
} from './announcement-store.ts';

export async function addAnnouncement(tx: Db, fields: AnnouncementFields): Promise<AnnouncementRow> {
  await lockNumbers(tx);
  const row = await insertAnnouncement(tx, fields);
  await publish(tx);
  return row;
}

/** Throws announcement.not-found, and announcement.changed where it is no more as it was seen. */
export async function changeAnnouncement(
  tx: Db,
  seen: SeenAnnouncement,
  fields: AnnouncementFields,
): Promise<AnnouncementRow> {
  await lockNumbers(tx);
  const row = await updateAnnouncement(tx, seen, fields);
  if (row === undefined) {
    throw new AppError((await announcementExists(tx, seen.id)) ? 'announcement.changed' : 'announcement.not-found');
  }
  await publish(tx);
  return row;
}

/** Throws announcement.not-found. */
export async function removeAnnouncement(tx: Db, id: number): Promise<void> {
  await lockNumbers(tx);
  if (!(await deleteAnnouncement(tx, id))) throw new AppError('announcement.not-found');
  await publish(tx);
}

/** Shows those whose time has come to everybody, open pages included. */
export async function publishDue(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockNumbers(tx);
    if ((await numberDue(tx)) > 0) await announceToEverybody(tx, 'announcements');
  });
}

async function publish(tx: Db): Promise<void> {
  await numberDue(tx);
  await announceToEverybody(tx, 'announcements');
}
