import type { Db } from '../../../db/driver.ts';
import { insertAccount, testKeys } from '../../../testing/apps/open-account-app.ts';
import { openTestApp, type TestApp } from '../../../testing/apps/open-test-app.ts';
import { must } from '@tongtu/base';
import { describeOrder, findOrder } from '../../orders/index.ts';
import { KeySecrets } from '../key-secret.ts';
import { makeKeys } from '../make-keys.ts';
import { registerProductKeyRoutes } from '../product-key-routes.ts';

export const secrets = new KeySecrets(testKeys.sealingKey);

export async function openKeyApp(db: Db): Promise<TestApp> {
  const describe = async (id: number) => describeOrder(must(await findOrder(db, id), 'the order'));
  const deps = { db, sealingKey: testKeys.sealingKey, describeOrder: describe };
  return await openTestApp(db, (app) => registerProductKeyRoutes(app, deps));
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
