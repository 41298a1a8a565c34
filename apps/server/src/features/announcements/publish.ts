import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceToEverybody } from '../live/index.ts';
import {
  announcementExists,
  deleteAnnouncement,
  insertAnnouncement,
  lockNumbers,
  assignDueNumbers,
  updateAnnouncement,
  type AnnouncementFields,
  type AnnouncementRow,
  type AnnouncementVersion,
} from './announcement-store.ts';

export async function addAnnouncement(tx: Db, fields: AnnouncementFields): Promise<AnnouncementRow> {
  await lockNumbers(tx);
  const row = await insertAnnouncement(tx, fields);
  await publish(tx);
  return row;
}

/** Throws announcement.not-found, or announcement.changed when `seen` is not the current revision. */
export async function changeAnnouncement(
  tx: Db,
  seen: AnnouncementVersion,
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

/** Publishes announcements that have become due, and notifies open consoles. */
export async function publishDue(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockNumbers(tx);
    if ((await assignDueNumbers(tx)) > 0) await announceToEverybody(tx, 'announcements');
  });
}

async function publish(tx: Db): Promise<void> {
  await assignDueNumbers(tx);
  await announceToEverybody(tx, 'announcements');
}
