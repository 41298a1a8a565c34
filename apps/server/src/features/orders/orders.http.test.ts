import { randomUUID } from 'node:crypto';
import type { Order, Plan } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { openTestApp, type TestBrowser } from '../../testing/apps/open-test-app.ts';
import { acceptPaymentTerms, insertProduct } from '../../testing/billing-fixtures.ts';
import { insertHome, insertUser } from '../../testing/device-fixtures.ts';
import { registerProductRoutes } from '../products/index.ts';
import { type Pay, registerOrderRoutes } from './order-routes.ts';
import { closeOrder, refundInOrder, settleOrder } from './settle-order.ts';

const path = '/api/user/product/orders/';
const sealingKey = Buffer.alloc(32, 3);

/** The shop with one provider whose payments arrive when the test says so. */
async function openShop(db: Db) {
  const waiting = new Map<number, Pay>();
  const app = await openTestApp(db, (server) => {
    registerProductRoutes(server, { db });
    registerOrderRoutes(server, {
      ...{ db, sealingKey },
      payments: {
        providers: ['alipay'],
        start: async (id, provider) => {
          waiting.set(id, {
            provider,
            qrText: `https://qr.example/${id}`,
            expiresAt: new Date(Date.now() + 7_200_000),
          });
        },
        listWaiting: async () => waiting,
        listReturns: async () => new Map(),
        close: async (id) => {
          waiting.delete(id);
        },
      },
    });
  });
  const pay = async (orderId: number): Promise<string> =>
    await db.transaction().execute(async (tx) => await settleOrder({ sealingKey }, tx, orderId));
  return { app, pay, [Symbol.asyncDispose]: async () => await app[Symbol.asyncDispose]() };
}

async function openBuyer(db: Db) {
  const shop = await openShop(db);
  const home = await insertHome(db);
  await acceptPaymentTerms(db, home.userId);
  const browser = await shop.app.browserOf(home.userId);
  const order = async (body: object, as: TestBrowser = browser) =>
    await as.call('POST', path, { uuid_from_client: randomUUID(), ...body });
  const buy = async (body: object): Promise<Order> => {
    const made = (await order(body)).body as Order;
    await shop.pay(made.id);
    return (await browser.call('GET', `${path}${made.id}/`)).body as Order;
  };
  const plans = async (): Promise<Plan[]> =>
    ((await browser.call('GET', '/api/user/product/orders-nonfree-valid/')).body as { results: Plan[] }).results;
  return { ...shop, ...home, browser, order, buy, plans };
}

test('an order waits with a QR code, and becomes a plan of the device when it is paid', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const product = await insertProduct(t.db);

  const made = await buyer.order({ product_id: product, router: buyer.deviceId, amount_fen: 2_600 });

  expect(made).toMatchObject({
    status: 201,
    body: {
      ...{ kind: 'new', status: 'open', amount_fen: 2_600, plan: null, providers: ['alipay'] },
      pay: { provider: 'alipay' },
    },
  });
  const { id } = made.body as Order;
  expect(await buyer.pay(id)).toBe('settled');
  expect((await buyer.browser.call('GET', `${path}${id}/`)).body).toMatchObject({
    status: 'paid',
    plan: id,
    pay: null,
  });
  expect(await buyer.plans()).toMatchObject([{ id, router: buyer.deviceId, is_free: false }]);
});

test('the same uuid returns the same order, also when ten requests race', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const body = { product_id: await insertProduct(t.db), uuid_from_client: randomUUID() };

  const replies = await Promise.all(Array.from({ length: 10 }, () => buyer.order(body)));

  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(replies.map((reply) => (reply.body as Order).id)).size).toBe(1);
  const other = await insertProduct(t.db, { name: '进阶版' });
  for (const change of [{ product_id: other }, { amount_fen: 1 }, { router: buyer.deviceId }, { kind: 'renew' }])
    expect(await buyer.order({ ...body, ...change })).toMatchObject({
      status: 409,
      body: { code: 'order.uuid-taken' },
    });
});

test('of a device that has a plan no other is bought, and a third open order is refused', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const product = await insertProduct(t.db);
  await buyer.buy({ product_id: product, router: buyer.deviceId });

  expect(await buyer.order({ product_id: product, router: buyer.deviceId })).toMatchObject({
    body: { code: 'plan.device-has-plan' },
  });
  await buyer.order({ product_id: product });
  await buyer.order({ product_id: product });
  expect(await buyer.order({ product_id: product })).toMatchObject({
    status: 409,
    body: { code: 'order.too-many-open' },
  });
});

test.each([
  ['another price was shown', { amount_fen: 2_599 }, 'order.price-changed'],
  ['there is no such product', { product_id: 999_999 }, 'product.not-found'],
  ['the device is another’s', { router: 999_999 }, 'device.not-found'],
  ['the plan is unknown', { kind: 'renew', parent: 999_999 }, 'plan.not-found'],
  ['no plan is named', { kind: 'upgrade' }, 'plan.not-found'],
  ['the provider is not set up', { provider: 'wechat' }, 'payment.provider-unknown'],
])('an order is refused when %s', async (_what, body, code) => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const product = await insertProduct(t.db);
  expect(await buyer.order({ product_id: product, ...body })).toMatchObject({ body: { code } });
  expect((await buyer.browser.call('GET', path)).body).toMatchObject({ count: 0 });
});

test('nothing is sold before the terms of payment are accepted, or unlisted', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const unlisted = await insertProduct(t.db, { listed: false });
  expect(await buyer.order({ product_id: unlisted })).toMatchObject({ body: { code: 'product.not-found' } });
  const newcomer = await buyer.app.browserOf(await insertUser(t.db, 'wang'));
  expect(await buyer.order({ product_id: await insertProduct(t.db) }, newcomer)).toMatchObject({
    status: 403,
    body: { code: 'payment.terms-required' },
  });
});

test('a free plan is settled at once, once a week, for two devices at a time', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const free = await insertProduct(t.db, { name: '体验版', price_fen: 0, days: 7 });

  expect(await buyer.order({ product_id: free, router: buyer.deviceId })).toMatchObject({ body: { status: 'paid' } });
  expect(await buyer.order({ product_id: free })).toMatchObject({ body: { code: 'order.free-limit' } });
  expect(await buyer.plans()).toEqual([]); // it is not a paid one

  const passWeek = async () =>
    await t.db
      .updateTable('productOrder')
      .set({ paidAt: new Date('2020-01-01') })
      .execute();
  await passWeek();
  expect(await buyer.order({ product_id: free })).toMatchObject({ body: { status: 'paid' } });
  await passWeek(); // while both plans go on
  expect(await buyer.order({ product_id: free })).toMatchObject({ body: { code: 'order.free-limit' } });
});

test('a paid plan takes the place of a free one', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  await buyer.order({ product_id: await insertProduct(t.db, { price_fen: 0, days: 7 }), router: buyer.deviceId });

  const { id } = await buyer.buy({ product_id: await insertProduct(t.db), router: buyer.deviceId });

  const bound = await t.db.selectFrom('plan').where('deviceId', '=', buyer.deviceId).select('id').execute();
  expect(bound).toEqual([{ id }]);
});

test('renewing adds the time to the end of the plan, two years ahead at most', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const product = await insertProduct(t.db, { days: 400 });
  const { id } = await buyer.buy({ product_id: product, router: buyer.deviceId });
  const [before] = await buyer.plans();

  expect(before?.renewal).toBeNull(); // 800 days
  expect(Date.parse(before?.renewable_from ?? '')).toBe(Date.parse(before?.ends_at ?? '') - 330 * 86_400_000);
  expect(await buyer.order({ product_id: product, kind: 'renew', parent: id })).toMatchObject({
    body: { code: 'plan.too-far-ahead' },
  });
  const shorter = await insertProduct(t.db, { days: 100, price_fen: 800 });
  await buyer.buy({ product_id: shorter, kind: 'renew', parent: id });

  const [after] = await buyer.plans();
  expect(Date.parse(after?.ends_at ?? '') - Date.parse(before?.ends_at ?? '')).toBe(100 * 86_400_000);
  expect(after?.id).toBe(id);
});

test('an upgrade costs the difference and changes the plan when it is paid', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const { id } = await buyer.buy({ product_id: await insertProduct(t.db), router: buyer.deviceId });
  const dearer = await insertProduct(t.db, {
    name: '进阶版',
    bandwidth_bps: 8_000_000,
    mapping_limit: 20,
    price_fen: 7_800,
  });
  const [plan] = await buyer.plans();

  expect(plan?.upgrades).toMatchObject([{ product: { id: dearer }, amount_fen: 5_200 }]);
  await buyer.buy({ product_id: dearer, kind: 'upgrade', parent: id, amount_fen: 5_200 });

  expect(await buyer.plans()).toMatchObject([
    { id, product: { name: '进阶版', bandwidth_bps: 8_000_000 }, upgrades: [] },
  ]);
});

test('of two paid upgrades of one plan the second is impossible, so its payment goes back', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const { id } = await buyer.buy({ product_id: await insertProduct(t.db), router: buyer.deviceId });
  const dearer = await insertProduct(t.db, { bandwidth_bps: 8_000_000, mapping_limit: 20, price_fen: 7_800 });
  const upgrade = { product_id: dearer, kind: 'upgrade', parent: id };
  const orders = [(await buyer.order(upgrade)).body as Order, (await buyer.order(upgrade)).body as Order];

  const outcomes = await Promise.all(orders.map((order) => buyer.pay(order.id)));

  expect(outcomes.toSorted()).toEqual(['impossible', 'settled']);
});

test('of a renewal and an upgrade that wait at once, the one that is paid second does not fit any more', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const standard = await insertProduct(t.db);
  const advanced = await insertProduct(t.db, { bandwidth_bps: 8_000_000, mapping_limit: 20, price_fen: 7_800 });
  const buyAndOrder = async (): Promise<{ plan: number; renewal: number; upgrade: number }> => {
    const { id: plan } = await buyer.buy({ product_id: standard });
    const order = async (kind: string, product_id: number): Promise<number> =>
      ((await buyer.order({ product_id, kind, parent: plan })).body as Order).id;
    return { plan, renewal: await order('renew', standard), upgrade: await order('upgrade', advanced) };
  };
  const bandwidthOf = async (plan: number) =>
    (await buyer.plans()).find(({ id }) => id === plan)?.product.bandwidth_bps;

  const upgraded = await buyAndOrder();
  expect(await buyer.pay(upgraded.upgrade)).toBe('settled');
  expect(await buyer.pay(upgraded.renewal)).toBe('impossible'); // it would take the upgrade back
  expect(await bandwidthOf(upgraded.plan)).toBe(8_000_000);

  const renewed = await buyAndOrder();
  expect(await buyer.pay(renewed.renewal)).toBe('settled');
  expect(await buyer.pay(renewed.upgrade)).toBe('impossible'); // one year was paid for, and two are left
  expect(await bandwidthOf(renewed.plan)).toBe(4_000_000);
});

test('an order is settled once, however often its payment is reported', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const { id } = (await buyer.order({ product_id: await insertProduct(t.db) })).body as Order;

  const outcomes = await Promise.all(Array.from({ length: 8 }, () => buyer.pay(id)));

  expect(outcomes.filter((outcome) => outcome === 'settled')).toHaveLength(1);
  expect(await buyer.plans()).toHaveLength(1);
});

test('a cancelled order cannot be paid any more, and a paid one cannot be cancelled', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const product = await insertProduct(t.db);
  const { id } = (await buyer.order({ product_id: product })).body as Order;

  expect(await buyer.browser.call('DELETE', `${path}${id}/`)).toMatchObject({ body: { status: 'closed', pay: null } });
  expect(await buyer.pay(id)).toBe('impossible');
  const paid = await buyer.buy({ product_id: product });
  expect(await buyer.browser.call('DELETE', `${path}${paid.id}/`)).toMatchObject({ body: { code: 'order.not-open' } });
  expect(await t.db.transaction().execute(async (tx) => await closeOrder(tx, paid.id))).toBe(false);
});

test('a full refund ends the plan, and a partial one leaves it', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const { id } = await buyer.buy({ product_id: await insertProduct(t.db), router: buyer.deviceId });
  const refund = async (fen: number) =>
    await t.db
      .transaction()
      .execute(async (tx) => await refundInOrder(tx, { orderId: id, amountFen: fen, actor: 'service' }));

  await refund(600);
  expect(await buyer.plans()).toHaveLength(1);
  await refund(2_000);
  expect(await buyer.plans()).toEqual([]);
  expect((await buyer.browser.call('GET', `${path}${id}/`)).body).toMatchObject({
    status: 'refunded',
    refunded_fen: 2_600,
  });
  await expect(refund(1)).rejects.toThrow(/check constraint/);
});

test('a refunded upgrade gives the former product back', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const { id } = await buyer.buy({ product_id: await insertProduct(t.db), router: buyer.deviceId });
  const dearer = await insertProduct(t.db, {
    name: '进阶版',
    bandwidth_bps: 8_000_000,
    mapping_limit: 20,
    price_fen: 7_800,
  });
  const upgrade = await buyer.buy({ product_id: dearer, kind: 'upgrade', parent: id });

  const base = await t.db
    .selectFrom('productOrder')
    .where('kind', '=', 'new')
    .select(['id', 'amountFen'])
    .executeTakeFirstOrThrow();
  const refundBase = t.db
    .transaction()
    .execute(async (tx) => await refundInOrder(tx, { orderId: base.id, amountFen: base.amountFen, actor: 'service' }));
  await expect(refundBase).rejects.toMatchObject({ code: 'refund.upgrade-first' });
  await t.db
    .transaction()
    .execute(
      async (tx) => await refundInOrder(tx, { orderId: upgrade.id, amountFen: upgrade.amount_fen, actor: 'service' }),
    );

  expect(await buyer.plans()).toMatchObject([{ id, product: { name: '标准版', bandwidth_bps: 4_000_000 } }]);
});

test('nobody sees or pays the order of somebody else', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const { id } = (await buyer.order({ product_id: await insertProduct(t.db) })).body as Order;
  const other = await buyer.app.browserOf(await insertUser(t.db, 'wang'));

  for (const [method, suffix] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', 'payment/'],
  ] as const) {
    const body = method === 'POST' ? { provider: 'alipay' } : undefined;
    expect(await other.call(method, `${path}${id}/${suffix}`, body)).toMatchObject({
      body: { code: 'order.not-found' },
    });
  }
});

test('bulk orders are for management users, at the price of the tier', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const product = await insertProduct(t.db);
  const { id: bulk } = await t.db
    .insertInto('bulkProduct')
    .values({ productId: product })
    .returning('id')
    .executeTakeFirstOrThrow();
  await t.db
    .insertInto('bulkTier')
    .values([
      { bulkProductId: bulk, fromQuantity: 10, percent: 90 },
      { bulkProductId: bulk, fromQuantity: 100, percent: 80 },
    ])
    .execute();
  const call = async (quantity: number, uuid: string = randomUUID()) =>
    await buyer.browser.call('POST', '/api/user/product/bulkorders/', {
      ...{ bulk_product_id: bulk, uuid_from_client: uuid, quantity },
    });

  expect(await call(10)).toMatchObject({ status: 403 });
  await t.db.updateTable('userAccount').set({ isPromoter: true }).where('id', '=', buyer.userId).execute();
  expect(await call(9)).toMatchObject({ status: 422, body: { errors: { quantity: ['至少购买 10 个'] } } });
  const uuid = randomUUID();
  const made = await call(10, uuid);
  expect((await call(10, uuid)).body).toEqual(made.body);
  expect(await call(11, uuid)).toMatchObject({ body: { code: 'order.uuid-taken' } });
  expect(made).toMatchObject({ status: 201, body: { kind: 'bulk', quantity: 10, amount_fen: 23_400 } });
  expect(await call(100)).toMatchObject({ body: { amount_fen: 208_000 } });
  const { id } = made.body as Order;
  expect(await buyer.browser.call('GET', `/api/user/product/bulkorders/${id}`)).toMatchObject({ body: { id } });
});

test('orders of an account that is deleted stay, and its device is free', async () => {
  await using t = await openTestDb();
  await using buyer = await openBuyer(t.db);
  const { id } = await buyer.buy({ product_id: await insertProduct(t.db), router: buyer.deviceId });

  await t.db.deleteFrom('userAccount').where('id', '=', buyer.userId).execute();

  expect(await t.db.selectFrom('productOrder').select(['id', 'userId', 'planId', 'status']).execute()).toEqual([
    { id, userId: null, planId: null, status: 'paid' },
  ]);
});
