import type { Db } from '../../db/driver.ts';
import { type AuditActor, recordAuditEntry } from '../audit/index.ts';
import type { AnnouncementRow } from './announcement-store.ts';

/** The last state that is given names the announcement. */
type Change =
  | { action: 'announcement.created'; before?: undefined; after: AnnouncementRow }
  | { action: 'announcement.changed'; before: AnnouncementRow; after: AnnouncementRow }
  | { action: 'announcement.deleted'; before: AnnouncementRow; after?: undefined };

export async function auditAnnouncement(tx: Db, actor: AuditActor, change: Change): Promise<void> {
  const { action, before, after } = change;
  const { id, title } = after ?? before;
  await recordAuditEntry(tx, actor, {
    action,
    object: { type: 'announcement', id, name: title },
    ...(before && { before: factsOf(before) }),
    ...(after && { after: factsOf(after) }),
  });
}

function factsOf({ id: _id, createdAt: _createdAt, revision: _revision, ...facts }: AnnouncementRow) {
  return facts;
}
