import type { ProductKeyStatus } from '@tongtu/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { PlanTerms } from '../plans/index.ts';

/** Which places the caller sees: a promoter those of their own, staff all and the keys without a place. */
export type VisiblePlaces = 'all' | readonly number[];

/** A key that is locked. Time makes a key expired before the job writes it down. */
export type LockedKey = { id: number; batchId: number; hint: string; status: ProductKeyStatus };

/** One that is to be redeemed, with what it is worth. */
export type RedeemableKey = LockedKey & PlanTerms & { redeemedBy: number | null };

/** Status as of now. */
export const statusNow = sql<ProductKeyStatus>`case
  when product_key.status in ('unused', 'issued') and product_key.expires_at <= now() then 'expired'
  else product_key.status end`;

export const termsOfBatch = [
  'keyBatch.productId',
  'keyBatch.productName',
  'keyBatch.days',
  'keyBatch.bandwidthBps',
  'keyBatch.mappingLimit',
  'keyBatch.appKinds',
  'keyBatch.priceFen',
] as const;

/** Concurrent redemptions and marks of the key wait until the transaction ends. */
export async function lockKeyForUpdate(tx: Db, keyHash: Buffer): Promise<RedeemableKey | undefined> {
  return await tx
    .selectFrom('productKey')
    .innerJoin('keyBatch', 'keyBatch.id', 'productKey.batchId')
    .where('keyHash', '=', keyHash)
    .select(['productKey.id', 'productKey.batchId', 'productKey.hint', 'productKey.redeemedBy'])
    .select([statusNow.as('status'), ...termsOfBatch])
    .forUpdate('productKey')
    .executeTakeFirst();
}

export async function setRedeemed(tx: Db, keyId: number, by: { userId: number; orderId: number }): Promise<void> {
  await tx
    .updateTable('productKey')
    .set({
      status: 'redeemed',
      redeemedAt: sql<Date>`now()`,
      changedAt: sql<Date>`now()`,
      redeemedBy: by.userId,
      orderId: by.orderId,
    })
    .where('id', '=', keyId)
    .execute();
}

/** Locks those of the keys that the caller sees, in the order of their ids, so that two calls cannot deadlock. */
export async function lockKeysForUpdate(
  tx: Db,
  { hashes, places }: { hashes: readonly Buffer[]; places: VisiblePlaces },
): Promise<(LockedKey & { keyHash: Buffer })[]> {
  return await tx
    .selectFrom('productKey')
    .where((eb) => eb('keyHash', '=', eb.fn.any(sql<Buffer[]>`${hashes}::bytea[]`)))
    .$if(places !== 'all', (query) =>
      query.where((eb) => eb('placeId', '=', eb.fn.any(sql<number[]>`${places}::integer[]`))),
    )
    .select(['id', 'batchId', 'hint', 'keyHash', statusNow.as('status')])
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function setStatus(
  tx: Db,
  keyIds: readonly number[],
  change: { status: ProductKeyStatus; note: string },
): Promise<void> {
  await tx
    .updateTable('productKey')
    .set({ ...change, changedAt: sql<Date>`now()` })
    .where((eb) => eb('id', '=', eb.fn.any(sql<number[]>`${keyIds}::integer[]`)))
    .execute();
}

/** Locks all keys of the batch that a bulk order delivered. */
export async function lockKeysOfOrderForUpdate(tx: Db, orderId: number): Promise<LockedKey[]> {
  return await tx
    .selectFrom('productKey')
    .where('batchId', '=', (eb) => eb.selectFrom('keyBatch').select('id').where('orderId', '=', orderId))
    .select(['id', 'batchId', 'hint', 'status'])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Writes down that some keys have expired. Returns how many of which batch; a key that is being redeemed waits for the next time. */
export async function expireSome(tx: Db, limit: number): Promise<{ batchId: number; count: number }[]> {
  const { rows } = await sql<{ batchId: number; count: number }>`
    with due as (
      select id from product_key
      where status in ('unused', 'issued') and expires_at <= now()
      order by expires_at limit ${limit} for update skip locked
    ), expired as (
      update product_key set status = 'expired', changed_at = now() from due
      where product_key.id = due.id returning batch_id
    )
    select batch_id, count(*) from expired group by batch_id order by batch_id`.execute(tx);
  return rows;
}
