import type { ManagedProduct, Product } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { insertUser } from '../../testing/device-fixtures.ts';
import { registerProductRoutes } from './product-routes.ts';
import { ensureStarterCatalogue } from './starter-catalogue.ts';

const shop = '/api/user/product/products/';
const manage = '/api/manage/products/';
const monthly = { name: '月付版', days: 30, bandwidth_bps: 4_000_000, mapping_limit: 12, price_fen: 300 };

async function openCatalogue(db: Db, billing: 'on' | 'off' = 'on') {
  const app = await openTestApp(db, (server) => registerProductRoutes(server, { db }), { billing });
  const staffId = await insertUser(db, 'staff');
  await db.updateTable('userAccount').set({ isStaff: true }).where('id', '=', staffId).execute();
  const staff = await app.browserOf(staffId);
  const list = async (path = shop): Promise<Product[]> =>
    ((await staff.call('GET', path)).body as { results: Product[] }).results;
  return { app, staff, list, [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose]() };
}

test('the starter catalogue is there once, and is read without a login', async () => {
  await using t = await openTestDb();
  await using catalogue = await openCatalogue(t.db);
  await Promise.all([ensureStarterCatalogue(t.db), ensureStarterCatalogue(t.db)]);

  const reply = await catalogue.app.browser().call('GET', shop);

  expect(reply.body).toMatchObject({
    count: 3,
    results: [
      { name: '体验版', price_fen: 0, days: 7, bandwidth_bps: 4_000_000, mapping_limit: 5, app_kinds: ['ssh'] },
      { name: '标准版', price_fen: 2_600, days: 365, bandwidth_bps: 4_000_000, mapping_limit: 12 },
      { name: '进阶版', price_fen: 7_800, days: 365, bandwidth_bps: 8_000_000, mapping_limit: 20 },
    ],
  });
});

test('staff create, change and unlist products, and the audit log keeps before and after', async () => {
  await using t = await openTestDb();
  await using catalogue = await openCatalogue(t.db);

  const made = await catalogue.staff.call('POST', manage, monthly);
  expect(made).toMatchObject({ status: 201, body: { name: '月付版', listed: true, sold_count: 0 } });
  const { id } = made.body as ManagedProduct;
  await catalogue.staff.call('PATCH', `${manage}${id}/`, { price_fen: 350, listed: false });

  expect(await catalogue.list()).toEqual([]);
  expect(await catalogue.list(manage)).toMatchObject([{ id, price_fen: 350, listed: false }]);
  const log = await t.db
    .selectFrom('auditEntry')
    .select(['actor', 'action', 'before', 'after'])
    .orderBy('id')
    .execute();
  expect(log).toMatchObject([
    { actor: 'staff', action: 'product.created', after: { priceFen: 300 } },
    { action: 'product.changed', before: { priceFen: 300, listed: true }, after: { priceFen: 350, listed: false } },
  ]);
});

test('bulk prices: one set for each product, each quantity once', async () => {
  await using t = await openTestDb();
  await using catalogue = await openCatalogue(t.db);
  const { id } = (await catalogue.staff.call('POST', manage, monthly)).body as ManagedProduct;
  const bulk = async (tiers: object[]) =>
    await catalogue.staff.call('POST', '/api/manage/bulk_products/', { product_id: id, tiers });

  expect(
    await bulk([
      { from: 10, percent: 90 },
      { from: 10, percent: 80 },
    ]),
  ).toMatchObject({ status: 422 });
  expect(
    await bulk([
      { from: 100, percent: 95 },
      { from: 10, percent: 90 },
    ]),
  ).toMatchObject({ status: 422, body: { errors: { tiers: ['数量更多的一档，单价不能更高'] } } });
  expect(
    await bulk([
      { from: 100, percent: 80 },
      { from: 10, percent: 90 },
    ]),
  ).toMatchObject({ status: 201 });
  expect(await bulk([{ from: 1, percent: 90 }])).toMatchObject({ body: { code: 'bulk-product.exists' } });

  const reply = await catalogue.app.browser().call('GET', '/api/user/product/bulkproducts/');
  expect(reply.body).toMatchObject({ count: 1, results: [{ tiers: [{ from: 10 }, { from: 100 }] }] });
});

test.each([
  ['negative', { price_fen: -1 }],
  ['fractional', { price_fen: 1.5 }],
  ['huge', { price_fen: 100_000_001 }],
  ['no days', { days: 0 }],
  ['an unknown kind of app', { app_kinds: ['gopher'] }],
])('a product with bad terms is refused: %s', async (_what, terms) => {
  await using t = await openTestDb();
  await using catalogue = await openCatalogue(t.db);
  expect(await catalogue.staff.call('POST', manage, { ...monthly, ...terms })).toMatchObject({ status: 422 });
});

test('others do not manage products, and without billing there are none', async () => {
  await using t = await openTestDb();
  await using catalogue = await openCatalogue(t.db);
  const user = await catalogue.app.browserOf(await insertUser(t.db, 'li'));
  expect(await user.call('GET', manage)).toMatchObject({ status: 403 });
  expect(await user.call('POST', manage, monthly)).toMatchObject({ status: 403 });

  await using off = await openTestApp(t.db, (server) => registerProductRoutes(server, { db: t.db }), {
    billing: 'off',
  });
  expect(await off.browser().call('GET', shop)).toMatchObject({ status: 409, body: { code: 'billing.off' } });
});
