import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { announceToEverybody } from '../live/index.ts';
import {
  deleteAnnouncement,
  findAnnouncement,
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
): Promise<{ before: AnnouncementRow; after: AnnouncementRow }> {
  await lockNumbers(tx);
  const before = await findAnnouncement(tx, seen.id);
  if (before === undefined) throw new AppError('announcement.not-found');
  const after = await updateAnnouncement(tx, seen, fields);
  if (after === undefined) throw new AppError('announcement.changed');
  await publish(tx);
  return { before, after };
}

/** Returns it as it was. Throws announcement.not-found. */
export async function removeAnnouncement(tx: Db, id: number): Promise<AnnouncementRow> {
  await lockNumbers(tx);
  const row = await deleteAnnouncement(tx, id);
  if (row === undefined) throw new AppError('announcement.not-found');
  await publish(tx);
  return row;
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
