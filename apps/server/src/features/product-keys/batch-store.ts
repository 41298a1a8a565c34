import { sql } from 'kysely';
import type { Db } from '../../db/driver.ts';
import type { PlanTerms } from '../plans/index.ts';
import type { StoredSecret } from './key-secret.ts';

export type NewBatch = { terms: PlanTerms; placeId: number | null; orderId: number | null; expiresAt: Date | null };
export type NewKeys = { ownerId: number | null; status: 'unused' | 'issued'; secrets: readonly StoredSecret[] };

/** Inserts a batch with its keys. Returns its id, and those of the keys in their order. */
export async function insertBatch(
  tx: Db,
  { terms, ...batch }: NewBatch,
  { secrets, ownerId, status }: NewKeys,
): Promise<{ batchId: number; keyIds: number[] }> {
  const { id: batchId } = await tx
    .insertInto('keyBatch')
    .values({ ...terms, ...batch, keyCount: secrets.length })
    .returning('id')
    .executeTakeFirstOrThrow();
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
