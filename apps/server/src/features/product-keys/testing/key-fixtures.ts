import type { Db } from '../../../db/driver.ts';
import { insertAccount, testKeys } from '../../../testing/apps/open-account-app.ts';
import { openTestApp, type TestApp } from '../../../testing/apps/open-test-app.ts';
import { KeySecrets } from '../key-secret.ts';
import { makeKeys } from '../make-keys.ts';
import { registerProductKeyRoutes } from '../product-key-routes.ts';

export const secrets = new KeySecrets(testKeys.sealingKey);

export async function openKeyApp(db: Db): Promise<TestApp> {
  return await openTestApp(db, (app) => registerProductKeyRoutes(app, { db, sealingKey: testKeys.sealingKey }));
}

export async function insertProduct(
  db: Db,
  fields: { name?: string; days?: number; priceFen?: number; listed?: boolean; bandwidthBps?: number } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('product')
    .values({
      ...{ name: '标准版', days: 365, priceFen: 2_600, bandwidthBps: 4_000_000, mappingLimit: 12, appKinds: ['ssh'] },
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertPromoter(db: Db, username: string): Promise<number> {
  const id = await insertAccount(db, { username });
  await db.updateTable('userAccount').set({ isPromoter: true }).where('id', '=', id).execute();
  return id;
}

export async function insertPlace(db: Db, promoterId: number | null, name = '门店'): Promise<number> {
  const place = db.insertInto('place').values({ name, promoterId }).returning('id');
  return (await place.executeTakeFirstOrThrow()).id;
}

/** Makes keys as staff does. Returns their texts. */
export async function makeSome(
  db: Db,
  wanted: { productId: number; place?: number | undefined; count?: number },
): Promise<string[]> {
  const { productId, place, count = 1 } = wanted;
  const body = { product_id: productId, count, ...(place !== undefined && { place }) };
  return (await makeKeys({ db, secrets }, body, 'service')).texts;
}

/** Lets time pass for all keys that expire. */
export async function passExpiry(db: Db): Promise<void> {
  await db
    .updateTable('productKey')
    .set({ expiresAt: new Date(Date.now() - 1_000) })
    .where('expiresAt', 'is not', null)
    .execute();
}

/** Compares the counts that the triggers keep with the keys. */
export async function readCounts(db: Db): Promise<{ kept: unknown[]; counted: unknown[] }> {
  const kept = await db
    .selectFrom('keyCount')
    .select(['placeId', 'status', 'keyCount', 'worthFen'])
    .where('keyCount', '<>', 0)
    .orderBy('placeId')
    .orderBy('status')
    .execute();
  const counted = await db
    .selectFrom('productKey')
    .innerJoin('keyBatch', 'keyBatch.id', 'productKey.batchId')
    .select((eb) => [
      'productKey.placeId',
      'productKey.status',
      eb.fn.countAll<number>().as('keyCount'),
      eb.fn.sum<number>('keyBatch.priceFen').as('worthFen'),
    ])
    .groupBy(['productKey.placeId', 'productKey.status'])
    .orderBy('productKey.placeId')
    .orderBy('productKey.status')
    .execute();
  return { kept, counted };
}
