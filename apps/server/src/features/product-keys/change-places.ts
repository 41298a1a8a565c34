import { AppError } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { recordAuditEntry, type AuditActor } from '../audit/index.ts';
import * as store from './place-store.ts';

/** Throws place.promoter-unknown. */
export async function createPlace(db: Db, fields: store.PlaceFields, actor: AuditActor): Promise<store.PlaceRow> {
  return await db.transaction().execute(async (tx) => {
    await assertPromoter(tx, fields.promoterId);
    const id = await store.insertPlace(tx, fields);
    const object = { type: 'place', id, name: fields.name };
    await recordAuditEntry(tx, actor, { action: 'place.created', object, after: toLog(fields) });
    return await getPlace(tx, id);
  });
}

/** Throws place.not-found, place.promoter-unknown. */
export async function changePlace(
  db: Db,
  { placeId, changes }: { placeId: number; changes: Partial<store.PlaceFields> },
  actor: AuditActor,
): Promise<store.PlaceRow> {
  return await db.transaction().execute(async (tx) => {
    const before = await lockPlace(tx, placeId);
    const after = { name: before.name, note: before.note, promoterId: before.promoterId, ...changes };
    if (after.promoterId !== before.promoterId) await assertPromoter(tx, after.promoterId);
    await store.updatePlace(tx, placeId, after);
    const object = { type: 'place', id: placeId, name: before.name };
    await recordAuditEntry(tx, actor, { action: 'place.changed', object, before: toLog(before), after: toLog(after) });
    return await getPlace(tx, placeId);
  });
}

/** Throws place.not-found, place.has-keys. */
export async function deletePlace(db: Db, placeId: number, actor: AuditActor): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await lockPlace(tx, placeId);
    if (!(await store.deletePlaceWithoutKeys(tx, placeId))) throw new AppError('place.has-keys');
    const object = { type: 'place', id: placeId, name: before.name };
    await recordAuditEntry(tx, actor, { action: 'place.deleted', object, before: toLog(before) });
  });
}

async function lockPlace(tx: Db, placeId: number): Promise<store.PlaceRow> {
  if (!(await store.lockPlaceForUpdate(tx, placeId))) throw new AppError('place.not-found');
  return await getPlace(tx, placeId);
}

async function getPlace(tx: Db, placeId: number): Promise<store.PlaceRow> {
  const place = await store.findPlace(tx, placeId);
  if (place === undefined) throw new AppError('place.not-found');
  return place;
}

async function assertPromoter(tx: Db, promoterId: number | null): Promise<void> {
  if (promoterId !== null && !(await store.isPromoter(tx, promoterId))) throw new AppError('place.promoter-unknown');
}

function toLog({ name, note, promoterId }: store.PlaceFields): Record<string, unknown> {
  return { name, note, promoter_id: promoterId };
}
