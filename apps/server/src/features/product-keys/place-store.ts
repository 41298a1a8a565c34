import type { ProductKeyStatus } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';

export type PlaceRow = {
  id: number;
  name: string;
  note: string;
  promoterId: number | null;
  promoterName: string | null;
  createdAt: Date;
};
export type KeyCounts = { placeId: number | null; status: ProductKeyStatus; keyCount: number; worthFen: number };
export type PlaceFields = { name: string; note: string; promoterId: number | null };

/** Nobody deletes the place until the transaction, which inserts keys of it, ends. */
export async function existsPlace(tx: Db, placeId: number): Promise<boolean> {
  const query = tx.selectFrom('place').where('id', '=', placeId).select('id').forKeyShare();
  return (await query.executeTakeFirst()) !== undefined;
}

export async function listPlaceIdsOf(db: Db, promoterId: number): Promise<number[]> {
  const rows = await db.selectFrom('place').where('promoterId', '=', promoterId).select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** All places, or those of one promoter, the newest first. */
export async function listPlaces(
  db: Db,
  { promoterId, limit, offset }: { promoterId: number | undefined; limit: number; offset: number },
): Promise<{ count: number; places: PlaceRow[] }> {
  const some = db
    .selectFrom('place')
    .$if(promoterId !== undefined, (query) => query.where('place.promoterId', '=', promoterId ?? 0));
  const { count } = await some.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const places = await some
    .leftJoin('userAccount', 'userAccount.id', 'place.promoterId')
    .select(placeColumns)
    .orderBy('place.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { count, places };
}

const placeColumns = [
  'place.id',
  'place.name',
  'place.note',
  'place.promoterId',
  'userAccount.username as promoterName',
  'place.createdAt',
] as const;

export async function findPlace(db: Db, placeId: number): Promise<PlaceRow | undefined> {
  return await db
    .selectFrom('place')
    .leftJoin('userAccount', 'userAccount.id', 'place.promoterId')
    .where('place.id', '=', placeId)
    .select(placeColumns)
    .executeTakeFirst();
}

export async function lockPlaceForUpdate(tx: Db, placeId: number): Promise<boolean> {
  const query = tx.selectFrom('place').where('id', '=', placeId).select('id').forUpdate();
  return (await query.executeTakeFirst()) !== undefined;
}

/** How many keys these places have in each status. */
export async function listKeyCounts(db: Db, placeIds: readonly number[]): Promise<KeyCounts[]> {
  return await db
    .selectFrom('keyCount')
    .where((eb) => eb('placeId', '=', eb.fn.any(sql<number[]>`${placeIds}::integer[]`)))
    .select(['placeId', 'status', 'keyCount', 'worthFen'])
    .execute();
}

export async function insertPlace(tx: Db, fields: PlaceFields): Promise<number> {
  return (await tx.insertInto('place').values(fields).returning('id').executeTakeFirstOrThrow()).id;
}

export async function updatePlace(tx: Db, placeId: number, fields: PlaceFields): Promise<void> {
  await tx.updateTable('place').set(fields).where('id', '=', placeId).execute();
}

/** False if keys, batches or orders belong to it. The caller has locked it. */
export async function deletePlaceWithoutKeys(tx: Db, placeId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('place')
    .where('id', '=', placeId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('keyBatch').select('keyBatch.id').whereRef('keyBatch.placeId', '=', 'place.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('productOrder').select('productOrder.id').whereRef('productOrder.placeId', '=', 'place.id')),
      ),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The account, if it is a promoter's. Its role cannot be taken until the transaction ends. */
export async function isPromoter(tx: Db, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('userAccount')
    .where('id', '=', userId)
    .where('isPromoter', '=', true)
    .select('id')
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}
