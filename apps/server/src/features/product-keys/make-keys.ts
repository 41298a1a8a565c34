import { must } from '@tongtu/base';
import { AppError, type KeysCreate } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { recordAuditEntry, type AuditActor } from '../audit/index.ts';
import { type PlanTerms, termsOf } from '../plans/index.ts';
import { findProduct } from '../products/index.ts';
import { findBatchByUuid, findBuyerId, insertBatch, isInFuture, type NewBatch, type NewKeys } from './batch-store.ts';
import { KeySecrets } from './key-secret.ts';
import { existsPlace } from './place-store.ts';

export type MakeKeysDeps = { db: Db; secrets: KeySecrets };

/**
 * Staff makes a batch of keys, also of an unlisted product: they may give away what nobody can buy. A batch that is sent
 * again with its uuid is not made again. Throws product.not-found, place.not-found, product-key.expiry-past,
 * product-key.uuid-taken.
 */
export async function makeKeys(
  { db, secrets }: MakeKeysDeps,
  wanted: KeysCreate,
  actor: AuditActor,
): Promise<{ batchId: number; texts: string[] }> {
  const { product_id: productId, place: placeId = null, count, uuid_from_client: uuid } = wanted;
  const expiresAt = wanted.expires_at === undefined ? null : new Date(wanted.expires_at);
  return await db.transaction().execute(async (tx) => {
    const product = await findProduct(tx, productId);
    if (product === undefined) throw new AppError('product.not-found');
    if (placeId !== null && !(await existsPlace(tx, placeId))) throw new AppError('place.not-found');
    if (expiresAt !== null && !(await isInFuture(tx, expiresAt))) throw new AppError('product-key.expiry-past');
    const batch = { terms: termsOf(product), placeId, orderId: null, expiresAt, uuidFromClient: uuid };
    const made = await insertNew(tx, secrets, { batch, count, key: { ownerId: null, status: 'unused' } });
    if (made === undefined) return await findMade(tx, secrets, batch, count);
    await recordAuditEntry(tx, actor, {
      action: 'product-keys.created',
      object: { type: 'key-batch', id: made.batchId, name: product.productName },
      after: { count, place_id: placeId, product_id: productId, expires_at: wanted.expires_at ?? null },
    });
    return made;
  });
}

/** The keys of the batch that has this one's uuid. Throws product-key.uuid-taken unless it is the same batch. */
async function findMade(
  tx: Db,
  secrets: KeySecrets,
  { terms, placeId, expiresAt, uuidFromClient }: NewBatch,
  count: number,
): Promise<{ batchId: number; texts: string[] }> {
  const made = must(await findBatchByUuid(tx, must(uuidFromClient, 'its uuid')), 'the batch with this uuid');
  const isSame =
    made.productId === terms.productId &&
    made.placeId === placeId &&
    made.keyCount === count &&
    made.expiresAt?.getTime() === expiresAt?.getTime();
  if (!isSame) throw new AppError('product-key.uuid-taken');
  return { batchId: made.id, texts: made.keys.map((key) => secrets.open(key)) };
}

/**
 * Delivers the keys of a bulk order that has just been paid. Without a place they are among the buyer's own keys. The caller
 * has locked the order and delivers once.
 */
export async function deliverKeys(
  tx: Db,
  sealingKey: Buffer,
  order: { orderId: number; terms: PlanTerms; quantity: number; placeId: number | null },
): Promise<{ batchId: number }> {
  const { orderId, terms, quantity, placeId } = order;
  const batch = { terms, placeId, orderId, expiresAt: null };
  const ownerId = placeId === null ? await findBuyerId(tx, orderId) : null;
  const key = { ownerId, status: 'unused' } as const;
  const made = await insertNew(tx, new KeySecrets(sealingKey), { batch, count: quantity, key });
  return { batchId: must(made, 'a batch without a uuid').batchId };
}

/** Makes one key that the account finds among its own, to redeem it or to give it away. It never expires. */
export async function makeRewardKey(
  tx: Db,
  sealingKey: Buffer,
  reward: { userId: number; terms: PlanTerms },
): Promise<{ keyId: number; text: string }> {
  const batch = { terms: reward.terms, placeId: null, orderId: null, expiresAt: null };
  const key = { ownerId: reward.userId, status: 'issued' } as const;
  const made = await insertNew(tx, new KeySecrets(sealingKey), { batch, count: 1, key });
  const { keyIds, texts } = must(made, 'a batch without a uuid');
  const [keyId, text] = [keyIds[0], texts[0]];
  if (keyId === undefined || text === undefined) throw new Error('no key was inserted');
  return { keyId, text };
}

/** Undefined if there is a batch with its uuid. */
async function insertNew(
  tx: Db,
  secrets: KeySecrets,
  { batch, count, key }: { batch: NewBatch; count: number; key: Omit<NewKeys, 'secrets'> },
): Promise<{ batchId: number; keyIds: number[]; texts: string[] } | undefined> {
  const created = Array.from({ length: count }, () => secrets.create());
  const ids = await insertBatch(tx, batch, { ...key, secrets: created.map(({ stored }) => stored) });
  return ids && { ...ids, texts: created.map(({ text }) => text) };
}
