import { expect, test } from 'vitest';
import { openTestDb } from '../../../db/open-test-db.ts';
import { runBothWhileLocked } from '../../../testing/run-both-while-locked.ts';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import type { Db } from '../../../db/driver.ts';
import { alertSuperuser, letOrderExpire, openTill, PRICE_FEN, reconcile, type Till } from '../testing/open-till.ts';
import type { MemoryProvider } from '../../../testing/memory-provider.ts';
import { closeUnpaidOrder } from './close-payments.ts';
import { listReturns, listWaitingPayments } from './list-payments.ts';
import { receiveNotification } from './receive-notification.ts';
import { startPayment } from './start-payment.ts';

async function notify({ deps }: Till, provider: MemoryProvider, paymentNumber: string): Promise<boolean> {
  const rawBody = Buffer.from(JSON.stringify({ paymentNumber }));
  return (await receiveNotification(deps, provider, { headers: {}, rawBody })).isReceived;
}

/** What was audited, without what a person did. */
async function audited(db: Db): Promise<unknown[]> {
  const entries = db.selectFrom('auditEntry').select(['action', 'after']).where('actor', '=', '');
  const rows = await entries.orderBy('id').execute();
  return rows.map(({ action, after }) => [action, after]);
}

async function countPlans(db: Db): Promise<number> {
  return (await db.selectFrom('plan').select('id').execute()).length;
}

test('an order keeps one waiting payment at each provider, and shows the code that was chosen last', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();

  const first = await till.start(id, 'alipay');
  const second = await till.start(id, 'wechat');
  expect((await listWaitingPayments(t.db, [id])).get(id)).toMatchObject({ provider: 'wechat' });
  expect(await till.start(id, 'alipay')).toBe(first);

  expect((await listWaitingPayments(t.db, [id])).get(id)).toMatchObject({
    provider: 'alipay',
    qrText: `https://qr.example/alipay/${first}`,
  });
  expect(first).not.toBe(second);
  expect(till.alipay.calls).toEqual(['create']); // the code was shown again
  expect(await till.paymentsOf(id)).toHaveLength(2);
});

test('a code that is about to end is replaced by a fresh one of the same payment', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const number = await till.start(id);
  await t.db
    .updateTable('payment')
    .set({ qrExpiresAt: new Date(Date.now() + 60_000) })
    .execute();

  expect(await till.start(id)).toBe(number);

  expect(till.alipay.calls).toEqual(['create', 'create']);
});

test('two requests for a code at once start one payment', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();

  const both = await runBothWhileLocked(
    t,
    async (tx) => await lockUserForNoKeyUpdate(tx, till.userId),
    async () => await startPayment(till.deps, { orderId: id, provider: 'alipay' }),
    async () => await startPayment(till.deps, { orderId: id, provider: 'alipay' }),
  );

  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  expect(await till.paymentsOf(id)).toHaveLength(1);
  expect(till.alipay.payments.size).toBe(1);
});

test('a payment that the buyer closed in the wallet is followed by another one', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const first = await till.start(id);
  await t.db.updateTable('payment').set({ qrText: null, qrExpiresAt: null }).execute();
  await till.alipay.close(first);

  const second = await till.start(id);

  expect(second).not.toBe(first);
  expect((await till.paymentsOf(id)).map(({ status }) => status)).toEqual(['closed', 'waiting']);
});

test('a provider that does not answer leaves the order open, and the next try uses the same payment', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  till.alipay.outage = 'after';
  await expect(till.start(id)).rejects.toMatchObject({ code: 'payment.unavailable' });
  till.alipay.outage = 'none';

  await till.start(id);

  expect(till.alipay.payments.size).toBe(1);
  expect((await till.statusOf(id)).status).toBe('open');
});

test('no payment starts for an order that is paid, closed, unknown or about to close, or at a provider that is not set up', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const [paid, closed, ending] = [await till.order(), await till.order(), await till.order()];
  till.alipay.pay(await till.start(paid));
  await reconcile(till);
  await closeUnpaidOrder(till.deps, closed);
  await letOrderExpire(t.db, ending, 0);

  for (const orderId of [paid, closed, ending])
    await expect(startPayment(till.deps, { orderId, provider: 'wechat' })).rejects.toMatchObject({
      code: 'order.not-open',
    });
  await expect(startPayment(till.deps, { orderId: 999, provider: 'wechat' })).rejects.toMatchObject({
    code: 'order.not-found',
  });
  const without = { ...till.deps, providers: new Map() };
  await expect(startPayment(without, { orderId: ending, provider: 'wechat' })).rejects.toMatchObject({
    code: 'payment.provider-unknown',
  });
});

test('a notification settles the order once, however often it comes', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const number = await till.start(id);
  till.alipay.pay(number);

  for (let time = 0; time < 3; time++) expect(await notify(till, till.alipay, number)).toBe(true);

  expect(await till.statusOf(id)).toMatchObject({ status: 'paid', refundedFen: 0 });
  expect(await till.paymentsOf(id)).toMatchObject([{ status: 'paid', settles: true, paidFen: PRICE_FEN }]);
  expect(await countPlans(t.db)).toBe(1);
  expect(await till.problems()).toEqual([]);
});

test('two notifications at once settle the order once', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const number = await till.start(id);
  till.alipay.pay(number);

  const both = await runBothWhileLocked(
    t,
    async (tx) => await lockUserForNoKeyUpdate(tx, till.userId),
    async () => await notify(till, till.alipay, number),
    async () => await notify(till, till.alipay, number),
  );

  expect(both).toMatchObject([{ value: true }, { value: true }]);
  expect(await till.problems()).toEqual([]);
  expect(await t.db.selectFrom('ledgerTransaction').select('reference').execute()).toHaveLength(1);
  expect(await countPlans(t.db)).toBe(1);
});

test('of payments at two providers at once one settles the order, and the other goes back', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const numbers = [await till.start(id, 'alipay'), await till.start(id, 'wechat')] as const;
  till.alipay.pay(numbers[0]);
  till.wechat.pay(numbers[1]);

  await runBothWhileLocked(
    t,
    async (tx) => await lockUserForNoKeyUpdate(tx, till.userId),
    async () => await notify(till, till.alipay, numbers[0]),
    async () => await notify(till, till.wechat, numbers[1]),
  );
  await reconcile(till);

  expect(await till.statusOf(id)).toEqual({ status: 'paid', refundedFen: 0 });
  expect((await till.paymentsOf(id)).filter(({ settles }) => settles)).toHaveLength(1);
  expect(till.alipay.heldFen() + till.wechat.heldFen()).toBe(PRICE_FEN);
  expect(await till.problems()).toEqual([]);
  expect(await audited(t.db)).toMatchObject([['payment.returned', { reason: '订单已支付过，重复的付款自动退回' }]]);
});

test('the order is closed while its notification arrives: it is paid, or the money goes back', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const number = await till.start(id);
  await letOrderExpire(t.db, id, 1);
  // The question of the closing job comes before the payment, so the job goes on to close the order.
  const find = till.alipay.find.bind(till.alipay);
  till.alipay.find = async (asked) => {
    const before = await find(asked);
    till.alipay.pay(number);
    till.alipay.find = find;
    return before;
  };
  const close = till.alipay.close.bind(till.alipay);
  till.alipay.close = async () => {}; // as with a code of Alipay that was not scanned when the payment was closed

  await Promise.all([closeUnpaidOrder(till.deps, id), notify(till, till.alipay, number)]);
  till.alipay.close = close;
  expect(await notify(till, till.alipay, number)).toBe(true);
  await reconcile(till);

  const { status } = await till.statusOf(id);
  expect(till.alipay.heldFen()).toBe(status === 'paid' ? PRICE_FEN : 0);
  expect(['paid', 'closed']).toContain(status);
  expect(await till.problems()).toEqual([]);
});

test('a payment of a closed order goes back', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const number = await till.start(id);
  await letOrderExpire(t.db, id, 1);
  expect(await closeUnpaidOrder(till.deps, id)).toBe('closed');
  till.alipay.payTwice(number);

  expect(await notify(till, till.alipay, number)).toBe(true);
  await reconcile(till);

  expect((await till.statusOf(id)).status).toBe('closed');
  expect(till.alipay.heldFen()).toBe(0);
  expect(await audited(t.db)).toMatchObject([['payment.returned', { reason: '订单已关闭，付款自动退回' }]]);
  expect(await till.problems()).toEqual([]);
});

test.each([1, PRICE_FEN - 1, PRICE_FEN + 1])(
  'a payment of %i fen instead of the price settles nothing and goes back',
  async (fen) => {
    await using t = await openTestDb();
    const till = await openTill(t.db);
    const id = await till.order();
    const number = await till.start(id);
    till.alipay.pay(number, fen);

    await notify(till, till.alipay, number);
    const back = { amountFen: fen, reason: '付款金额与订单不符，自动退回' };
    expect(await listReturns(t.db, [id])).toMatchObject(new Map([[id, [{ ...back, isDone: false }]]]));
    await reconcile(till);

    expect(await listReturns(t.db, [id])).toMatchObject(new Map([[id, [{ ...back, isDone: true }]]]));
    expect((await till.statusOf(id)).status).toBe('open');
    expect(await till.paymentsOf(id)).toMatchObject([
      { status: 'paid', settles: false, paidFen: fen, refundedFen: fen },
    ]);
    expect(till.alipay.heldFen()).toBe(0);
    expect(await audited(t.db)).toMatchObject([['payment.returned', { amount_fen: fen, asked_fen: PRICE_FEN }]]);
    expect(await till.problems()).toEqual([]);
  },
);

test('the order can be paid again after a payment of a wrong amount', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const wrong = await till.start(id);
  till.alipay.pay(wrong, 1);
  await notify(till, till.alipay, wrong);

  const right = await till.start(id);
  till.alipay.pay(right);
  await notify(till, till.alipay, right);
  await reconcile(till);

  expect((await till.statusOf(id)).status).toBe('paid');
  expect(till.alipay.heldFen()).toBe(PRICE_FEN);
  expect(await till.problems()).toEqual([]);
});

test('a payment of an account that was deleted meanwhile goes back', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const number = await till.start(id);
  till.alipay.pay(number);
  await t.db.deleteFrom('device').execute();
  await t.db.deleteFrom('userAccount').where('id', '=', till.userId).execute();

  await notify(till, till.alipay, number);
  await reconcile(till);

  expect(till.alipay.heldFen()).toBe(0);
  expect(await audited(t.db)).toMatchObject([['payment.returned', { reason: '账号已注销，付款自动退回' }]]);
  expect(await till.problems()).toEqual([]);
});

test('payments that cannot be assigned are received and on record, and superusers are alerted', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  await alertSuperuser(t.db, till.userId);
  const paidTwice = await till.start(await till.order());
  till.alipay.pay(paidTwice);
  await notify(till, till.alipay, paidTwice);
  await t.db.updateTable('payment').set({ transactionId: 'another one' }).execute();
  const id = await till.order();
  const number = await till.start(id);
  till.alipay.pay(number);
  await t.db.updateTable('payment').set({ number: 'P20261124OTHER' }).where('number', '=', number).execute();

  for (const one of [paidTwice, number]) expect(await notify(till, till.alipay, one)).toBe(true);

  expect(await audited(t.db)).toMatchObject([
    ['payment.unassigned', { amount_fen: PRICE_FEN, is_known: true }],
    ['payment.unassigned', { amount_fen: PRICE_FEN, is_known: false }],
  ]);
  expect((await till.statusOf(id)).status).toBe('open');
  const deliveries = await t.db.selectFrom('alertDelivery').select('details').orderBy('id').execute();
  expect(deliveries.flatMap(({ details }) => ('problems' in details ? details.problems : []))).toEqual([
    expect.stringMatching(`^支付宝付款 ${paidTwice}（26.00 元，交易号 .*）与已到账的不是同一笔交易$`),
    expect.stringMatching(`^支付宝付款 ${number}（26.00 元，交易号 .*）在这里没有记录$`),
  ]);
});

test('a lost notification is made up for by a question', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  till.wechat.pay(await till.start(id, 'wechat'));

  await reconcile(till);

  expect((await till.statusOf(id)).status).toBe('paid');
});

test('an order is asked about once more before it closes, and its payment is closed at the provider', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const [paid, unpaid] = [await till.order(), await till.order()];
  till.alipay.pay(await till.start(paid));
  const number = await till.start(unpaid);
  for (const id of [paid, unpaid]) await letOrderExpire(t.db, id, 1);

  expect(await closeUnpaidOrder(till.deps, paid)).toBe('not-open');
  expect(await closeUnpaidOrder(till.deps, unpaid)).toBe('closed');

  expect((await till.statusOf(paid)).status).toBe('paid');
  expect((await till.statusOf(unpaid)).status).toBe('closed');
  expect(till.alipay.payments.get(number)).toMatchObject({ isClosed: true });
});

test('an order whose provider does not answer closes an hour later, and what was paid for it goes back', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const number = await till.start(id);
  till.alipay.outage = 'before';
  await letOrderExpire(t.db, id, 5);
  expect(await closeUnpaidOrder(till.deps, id)).toBe('later');
  await letOrderExpire(t.db, id, 61);
  expect(await closeUnpaidOrder(till.deps, id)).toBe('closed');
  till.alipay.outage = 'none';
  till.alipay.pay(number);

  await reconcile(till);
  await reconcile(till);

  expect(await till.paymentsOf(id)).toMatchObject([{ status: 'paid', settles: false, refundedFen: PRICE_FEN }]);
  expect(till.alipay.heldFen()).toBe(0);
});

test('when an order is paid, its payment at the other provider is closed there', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  const [first, second] = [await till.start(id, 'alipay'), await till.start(id, 'wechat')];
  till.alipay.pay(first);
  await notify(till, till.alipay, first);

  await reconcile(till);

  expect(till.wechat.payments.get(second)).toMatchObject({ isClosed: true });
  expect((await till.paymentsOf(id)).map(({ status }) => status)).toEqual(['paid', 'closed']);
});
