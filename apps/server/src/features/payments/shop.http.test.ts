import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ManagedOrder, Order } from '@tongtu/contract';
import { expect, test } from 'vitest';
import type { Db } from '../../db/driver.ts';
import { openTestDb } from '../../db/open-test-db.ts';
import { checkLedger } from '../ledger/index.ts';
import { startFakePayments } from './testing/index.ts';
import { registerBillingFeatures } from '../../register-billing-features.ts';
import { openTestApp } from '../../testing/apps/open-test-app.ts';
import { acceptPaymentTerms, insertProduct } from '../../testing/billing-fixtures.ts';
import { captureLog } from '../../testing/capture-log.ts';
import { insertHome, insertUser } from '../../testing/device-fixtures.ts';

const orders = '/api/user/product/orders/';
const providers = ['alipay', 'wechat'] as const;

/** The shop with both fake providers, which reach it over HTTP; their notifications have a URL before the app exists. */
async function openShop(db: Db, { billing = 'on' as 'on' | 'off' } = {}) {
  await using parts = new AsyncDisposableStack();
  const fakes = parts.use(await startFakePayments());
  let forward = async (_req: IncomingMessage, _body: Buffer): Promise<{ statusCode: number; body: string }> => {
    throw new Error('not open yet');
  };
  const front = createServer((req, res) => {
    void (async () => {
      const { statusCode, body } = await forward(req, await buffer(req));
      res.writeHead(statusCode).end(body);
    })();
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  parts.defer(() => void front.close());
  const publicUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const { log, lines } = captureLog();
  const config = { billing, publicUrl, payments: fakes.config, secrets: { sealingKey: Buffer.alloc(32, 3) } };
  let jobs: ReturnType<typeof registerBillingFeatures>['jobs'] = [];
  const register = (server: Parameters<typeof registerBillingFeatures>[0]): void => {
    ({ jobs } = registerBillingFeatures(server, { config, db, log }));
  };
  const app = parts.use(await openTestApp(db, register, { billing }));
  forward = async (req, payload) => {
    const headers = { ...req.headers, host: 'localhost' };
    return await app.app.inject({ method: 'POST', url: req.url ?? '/', headers, payload });
  };
  const { userId, deviceId } = await insertHome(db);
  await acceptPaymentTerms(db, userId);
  const staffId = await insertUser(db, 'staff');
  await db.updateTable('userAccount').set({ isStaff: true }).where('id', '=', staffId).execute();
  const productId = await insertProduct(db);
  const buyer = await app.browserOf(userId);
  const staff = await app.browserOf(staffId);
  const buy = async (provider: 'alipay' | 'wechat'): Promise<Order> => {
    const body = { product_id: productId, router: deviceId, uuid_from_client: randomUUID(), provider };
    return (await buyer.call('POST', orders, body)).body as Order;
  };
  const numberOf = async (orderId: number, provider: 'alipay' | 'wechat'): Promise<string> => {
    const payments = db.selectFrom('payment').select('number').where('orderId', '=', orderId);
    return (await payments.where('provider', '=', provider).executeTakeFirstOrThrow()).number;
  };
  const run = async (name: string): Promise<void> => await jobs.find((job) => job.name === name)?.run();
  const read = async (id: number): Promise<Order> => (await buyer.call('GET', `${orders}${id}/`)).body as Order;
  const listed = parts.move();
  return {
    ...{ fakes, app, jobs, lines, userId, deviceId, staffId, productId, buyer, staff, buy, numberOf, run, read },
    [Symbol.asyncDispose]: async () => await listed.disposeAsync(),
  };
}

test.each(providers)('an order is paid by the code of %s, and its notification makes the plan', async (provider) => {
  await using t = await openTestDb();
  await using shop = await openShop(t.db);
  const made = await shop.buy(provider);
  expect(made).toMatchObject({
    status: 'open',
    pay: { provider, qr_text: expect.any(String) },
    providers: ['alipay', 'wechat'],
  });

  await shop.fakes[provider].pay(await shop.numberOf(made.id, provider));

  expect(await shop.read(made.id)).toMatchObject({ status: 'paid', plan: made.id, pay: null });
  expect(shop.fakes[provider].replies.at(-1)?.status).toBeLessThan(300);
  expect(await checkLedger(t.db)).toMatchObject({ balanced: true, problems: [] });
});

test.each(providers)('staff find the order of %s and refund it, in part and then in full', async (provider) => {
  await using t = await openTestDb();
  await using shop = await openShop(t.db);
  const { id } = await shop.buy(provider);
  const number = await shop.numberOf(id, provider);
  await shop.fakes[provider].pay(number);
  const refund = `/api/manage/orders/${id}/refund/`;

  const first = await shop.staff.call('POST', refund, { amount_fen: 600, reason: '买错了' });
  expect(first).toMatchObject({ status: 201, body: { status: 'paid', refunded_fen: 600 } });
  await shop.run('send refunds');
  // The reply to the first call was lost, and its user tries again.
  const again = await shop.staff.call('POST', refund, { amount_fen: 600, reason: '买错了', refunded_fen: 0 });
  expect(again).toMatchObject({
    status: 409,
    body: { code: 'refund.changed', detail: expect.stringContaining('6.00 元') },
  });
  expect(await shop.staff.call('POST', refund, { amount_fen: 2_001, reason: '多了' })).toMatchObject({ status: 409 });
  await shop.staff.call('POST', refund, { amount_fen: 2_000, reason: '其余的', refunded_fen: 600 });
  await shop.run('send refunds');

  const found = await shop.staff.call('GET', `/api/manage/orders/?search=${number}`);
  expect(found.body).toMatchObject({
    count: 1,
    results: [
      {
        ...{ id, status: 'refunded', refunded_fen: 2_600, user: { username: 'li' } },
        payments: [{ number, provider, status: 'paid', amount_fen: 2_600 }],
      },
    ],
  });
  const [{ payments } = { payments: [] }] = (found.body as { results: ManagedOrder[] }).results;
  expect(payments[0]?.refunds).toMatchObject([
    { amount_fen: 600, reason: '买错了', status: 'done', made_by: 'staff' },
    { amount_fen: 2_000, status: 'done' },
  ]);
  expect(await checkLedger(t.db)).toMatchObject({ balanced: true, problems: [] });
});

test.each([
  ['number', (order: ManagedOrder) => order.number],
  ['transaction', (order: ManagedOrder) => order.payments[0]?.transaction_id ?? ''],
  ['user name', () => 'L'],
])('orders are found by their %s', async (_what, searchOf) => {
  await using t = await openTestDb();
  await using shop = await openShop(t.db);
  const { id } = await shop.buy('wechat');
  await shop.fakes.wechat.pay(await shop.numberOf(id, 'wechat'));
  const all = await shop.staff.call('GET', '/api/manage/orders/?status=paid&kind=new');
  const [order] = (all.body as { results: ManagedOrder[] }).results;
  const search = searchOf(order as ManagedOrder);

  expect((await shop.staff.call('GET', `/api/manage/orders/?search=${search}`)).body).toMatchObject({ count: 1 });
  expect((await shop.staff.call('GET', `/api/manage/orders/?search=${search}x`)).body).toMatchObject({ count: 0 });
  expect((await shop.staff.call('GET', '/api/manage/orders/?status=refunded')).body).toMatchObject({ count: 0 });
});

test('buyers may neither list all orders nor refund theirs', async () => {
  await using t = await openTestDb();
  await using shop = await openShop(t.db);
  const { id } = await shop.buy('wechat');

  expect(await shop.buyer.call('GET', '/api/manage/orders/')).toMatchObject({ status: 403 });
  const refund = await shop.buyer.call('POST', `/api/manage/orders/${id}/refund/`, { amount_fen: 1, reason: 'x' });
  expect(refund).toMatchObject({ status: 403 });
});

test.each([0, -1, 1.5, 1e9])('a refund of %d fen is refused', async (amount) => {
  await using t = await openTestDb();
  await using shop = await openShop(t.db);
  const { id } = await shop.buy('wechat');
  await shop.fakes.wechat.pay(await shop.numberOf(id, 'wechat'));

  const reply = await shop.staff.call('POST', `/api/manage/orders/${id}/refund/`, { amount_fen: amount, reason: 'x' });

  expect(reply.status).toBe(422);
});

test.each(providers)(
  'a notification of %s that is forged, or sent where it does not belong, settles nothing',
  async (provider) => {
    await using t = await openTestDb();
    await using shop = await openShop(t.db);
    const { id } = await shop.buy(provider);
    const number = await shop.numberOf(id, provider);
    await shop.fakes[provider].pay(number, { isSilent: true });
    const { rawBody, headers } = shop.fakes[provider].notificationOf(number);
    const send = async (path: string, payload: string | Buffer) =>
      await shop.app.app.inject({ method: 'POST', url: `/api/payment/notify/${path}`, headers, payload });

    const text = rawBody.toString();
    const forged = await send(
      provider,
      provider === 'alipay'
        ? text.replace('26.00', '26.01')
        : text.replace('TRANSACTION.SUCCESS', 'TRANSACTION.success'),
    );
    const other = await send(provider === 'alipay' ? 'wechat' : 'alipay', text);
    const giant = await send(provider, Buffer.alloc(65 * 1024, 'a'));
    const empty = await send(provider, '');

    for (const reply of [forged, other, giant, empty]) expect(reply.body).not.toBe('success');
    if (provider === 'wechat')
      for (const reply of [forged, giant, empty]) expect(reply.statusCode).toBeGreaterThanOrEqual(400);
    expect((await shop.read(id)).status).toBe('open');
    expect((await send('unionpay', text)).statusCode).toBe(404);
    expect((await send(provider, text)).statusCode).toBe(200);
    expect((await shop.read(id)).status).toBe('paid');
  },
);

test('a notification that was lost is made up for by a question, and the bill agrees', async () => {
  await using t = await openTestDb();
  await using shop = await openShop(t.db);
  const { id } = await shop.buy('alipay');
  await shop.fakes.alipay.pay(await shop.numberOf(id, 'alipay'), { isSilent: true });
  await t.db
    .updateTable('payment')
    .set({ askedAt: new Date(0) })
    .execute();

  await shop.run('ask about payments');

  expect((await shop.read(id)).status).toBe('paid');
});

test('a buyer who cancels and pays nevertheless gets the money back', async () => {
  await using t = await openTestDb();
  await using shop = await openShop(t.db);
  const { id } = await shop.buy('wechat');
  const number = await shop.numberOf(id, 'wechat');
  expect((await shop.buyer.call('DELETE', `${orders}${id}/`)).body).toMatchObject({ status: 'closed' });

  await shop.fakes.wechat.pay(number);
  await shop.run('send refunds');

  const list = (await shop.staff.call('GET', '/api/manage/orders/')).body as { results: ManagedOrder[] };
  expect(list.results[0]).toMatchObject({
    status: 'closed',
    payments: [
      {
        status: 'paid',
        refunds: [{ amount_fen: 2_600, status: 'done', made_by: '', reason: expect.stringContaining('已关闭') }],
      },
    ],
  });
  expect(await checkLedger(t.db)).toMatchObject({ balanced: true, problems: [] });
});

test('with billing off there are no jobs, no address for notifications, and no calls', async () => {
  await using t = await openTestDb();
  await using shop = await openShop(t.db, { billing: 'off' });

  expect(shop.jobs).toEqual([]);
  expect((await shop.app.app.inject({ method: 'POST', url: '/api/payment/notify/alipay' })).statusCode).toBe(404);
  expect(await shop.staff.call('GET', '/api/manage/orders/')).toMatchObject({ body: { code: 'billing.off' } });
  // Also for a body that no call would take.
  expect(await shop.staff.call('POST', '/api/user/product/orders/', {})).toMatchObject({
    body: { code: 'billing.off' },
  });
  expect(await t.db.selectFrom('product').select('name').execute()).toHaveLength(1); // the test's own
});
