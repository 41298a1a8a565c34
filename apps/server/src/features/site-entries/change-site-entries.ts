import { AppError, MAX_SITE_ENTRIES } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { type AuditActor, recordAuditEntry } from '../audit/index.ts';
import {
  deleteSiteEntry,
  findSiteEntryForUpdate,
  insertSiteEntry,
  type SiteEntryFields,
  type SiteEntryKind,
  type SiteEntryRow,
  updateSiteEntry,
} from './site-entry-store.ts';

/** Throws site-entry.limit-reached. */
export async function addSiteEntry(
  db: Db,
  actor: AuditActor,
  entry: SiteEntryFields & { kind: SiteEntryKind },
): Promise<SiteEntryRow> {
  return await db.transaction().execute(async (tx) => {
    const after = await insertSiteEntry(tx, entry, MAX_SITE_ENTRIES);
    if (after === undefined) throw new AppError('site-entry.limit-reached');
    await audit(tx, actor, 'created', { after });
    return after;
  });
}

/** Throws site-entry.not-found, or site-entry.changed when `seen` is not the current revision. */
export async function changeSiteEntry(
  db: Db,
  actor: AuditActor,
  { seen, fields }: { seen: { id: number; revision: number }; fields: SiteEntryFields },
): Promise<SiteEntryRow> {
  return await db.transaction().execute(async (tx) => {
    const before = await findSiteEntryForUpdate(tx, seen.id);
    if (before === undefined) throw new AppError('site-entry.not-found');
    if (before.revision !== seen.revision) throw new AppError('site-entry.changed');
    const after = await updateSiteEntry(tx, seen, fields);
    await audit(tx, actor, 'changed', { before, after });
    return after;
  });
}

/** Throws site-entry.not-found. */
export async function removeSiteEntry(db: Db, actor: AuditActor, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await deleteSiteEntry(tx, id);
    if (before === undefined) throw new AppError('site-entry.not-found');
    await audit(tx, actor, 'deleted', { before });
  });
}

type States = { before: SiteEntryRow; after?: SiteEntryRow } | { before?: SiteEntryRow; after: SiteEntryRow };

async function audit(tx: Db, actor: AuditActor, verb: 'created' | 'changed' | 'deleted', states: States) {
  const { before, after } = states;
  const { id, kind, title } = after ?? before ?? {};
  await recordAuditEntry(tx, actor, {
    action: `${kind}.${verb}`,
    object: { type: String(kind), id: id ?? null, name: title ?? '' },
    ...(before && { before: factsOf(before) }),
    ...(after && { after: factsOf(after) }),
  });
}

/** The hash says whether the image changed. */
function factsOf({ id: _id, kind: _kind, revision: _revision, ...facts }: SiteEntryRow) {
  return facts;
}
