import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { PlanTerms } from '../plans/index.ts';
import type { StoredSecret } from './key-secret.ts';

export type NewBatch = {
  terms: PlanTerms;
  placeId: number | null;
  orderId: number | null;
  expiresAt: Date | null;
  /** Made by the client, so that the batch can be sent again. */
  uuidFromClient?: string | undefined;
};
export type NewKeys = { ownerId: number | null; status: 'unused' | 'issued'; secrets: readonly StoredSecret[] };

/**
 * Inserts a batch with its keys. Returns its id, and those of the keys in their order; undefined if there is a batch with
 * its uuid, also when both are inserted at once.
 */
export async function insertBatch(
  tx: Db,
  { terms, ...batch }: NewBatch,
  { secrets, ownerId, status }: NewKeys,
): Promise<{ batchId: number; keyIds: number[] } | undefined> {
  const inserted = await tx
    .insertInto('keyBatch')
    .values({ ...terms, ...batch, keyCount: secrets.length })
    .onConflict((oc) => oc.column('uuidFromClient').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted === undefined) return undefined;
  const batchId = inserted.id;
  const { placeId, expiresAt } = batch;
  const hashes = secrets.map(({ keyHash }) => keyHash);
  const sealed = secrets.map(({ keySealed }) => keySealed);
  const hints = secrets.map(({ hint }) => hint);
  // Three parameters for all keys, where a list of rows would have thousands.
  const { rows } = await sql<{ id: number }>`
    insert into product_key (batch_id, place_id, owner_id, status, expires_at, key_hash, key_sealed, hint)
    select ${batchId}::integer, ${placeId}::integer, ${ownerId}::integer, ${status}, ${expiresAt}::timestamptz, k.*
    from unnest(${hashes}::bytea[], ${sealed}::bytea[], ${hints}::text[]) as k
    returning id`.execute(tx);
  return { batchId, keyIds: rows.map(({ id }) => id) };
}

/** The batch with this uuid and its keys, in the order in which they were made. */
export async function findBatchByUuid(tx: Db, uuid: string) {
  const batch = await tx
    .selectFrom('keyBatch')
    .where('uuidFromClient', '=', uuid)
    .select(['id', 'productId', 'placeId', 'keyCount', 'expiresAt'])
    .executeTakeFirst();
  if (batch === undefined) return undefined;
  const keys = await tx
    .selectFrom('productKey')
    .where('batchId', '=', batch.id)
    .select(['keyHash', 'keySealed'])
    .orderBy('id')
    .execute();
  return { ...batch, keys };
}

/** Who ordered it. Null where the account was deleted. */
export async function findBuyerId(tx: Db, orderId: number): Promise<number | null> {
  const row = await tx.selectFrom('productOrder').where('id', '=', orderId).select('userId').executeTakeFirst();
  return row?.userId ?? null;
}

export async function isInFuture(tx: Db, at: Date): Promise<boolean> {
  const { isLater } = await tx
    .selectNoFrom(sql<boolean>`${at}::timestamptz > now()`.as('isLater'))
    .executeTakeFirstOrThrow();
  return isLater;
}
