import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { ListedKey } from './key-list-store.ts';
import { statusNow, termsOfBatch } from './key-store.ts';

export type OwnKeyRow = Omit<ListedKey, 'batchId' | 'note' | 'placeId' | 'placeName' | 'createdAt'> & {
  /** The plan that it made or renewed, where the reader redeemed it. */
  planId: number | null;
};

/** The keys that the user has redeemed, or that are theirs, the newest first. */
export async function listOwnKeys(
  db: Db,
  userId: number,
  page: { limit: number; offset: number },
): Promise<{ count: number; keys: OwnKeyRow[] }> {
  const own = db
    .selectFrom('productKey')
    .where((eb) => eb.or([eb('productKey.redeemedBy', '=', userId), eb('productKey.ownerId', '=', userId)]));
  const { count } = await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const keys = await own
    .innerJoin('keyBatch', 'keyBatch.id', 'productKey.batchId')
    .leftJoin('productOrder', (join) =>
      join.onRef('productOrder.id', '=', 'productKey.orderId').on('productOrder.userId', '=', userId),
    )
    .select(['productKey.id', 'productKey.keyHash', 'productKey.keySealed', 'productKey.hint', 'productOrder.planId'])
    .select([statusNow.as('status'), 'productKey.expiresAt', 'productKey.redeemedAt', ...termsOfBatch])
    .orderBy(sql`coalesce(product_key.redeemed_at, product_key.changed_at)`, 'desc')
    .orderBy('productKey.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { count, keys };
}
