import { expect, test } from 'vitest';
import type { Db } from '../../../db/driver.ts';
import { openTestDb } from '../../../db/open-test-db.ts';
import { alertSuperuser, openTill, PRICE_FEN, reconcile } from '../testing/open-till.ts';
import { refundOrder } from '../refunds/refund-order.ts';
import { billedDays } from './bill-days.ts';
import { compareBills } from './compare-bills.ts';

/** Tomorrow evening in Beijing, when today's bill is there. */
const tomorrow = new Date(Date.now() + 86_400_000 + 12 * 3_600_000);

async function comparedBills(db: Db) {
  return await db
    .selectFrom('comparedBill')
    .select(['provider', 'differences'])
    .orderBy('provider')
    .orderBy('day')
    .execute();
}

async function paidOrder(till: Awaited<ReturnType<typeof openTill>>): Promise<{ id: number; number: string }> {
  const id = await till.order();
  const number = await till.start(id);
  till.alipay.pay(number);
  await reconcile(till);
  return { id, number };
}

test('the bills of a week are compared from noon of the next day on', () => {
  expect(billedDays(new Date('2026-11-24T11:59:00+08:00')).at(-1)).toBe('2026-11-22');
  expect(billedDays(new Date('2026-11-24T12:00:00+08:00'))).toEqual([
    ...['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'],
  ]);
});

test('a bill with the payments and refunds of the day has no differences, and is compared once', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const { id } = await paidOrder(till);
  await refundOrder(till.deps, { orderId: id, amountFen: 100, reason: '测试', actor: 'service' });
  await reconcile(till);

  await compareBills(till.deps, tomorrow);
  await compareBills(till.deps, tomorrow);

  const bills = await comparedBills(t.db);
  expect(bills.length).toBeGreaterThan(0);
  expect(new Set(bills.map(({ provider }) => provider))).toEqual(new Set(['alipay'])); // nothing was paid by wechat
  expect(bills.flatMap(({ differences }) => differences)).toEqual([]);
  expect(till.alipay.calls.filter((call) => call === 'bill')).toHaveLength(bills.length);
  expect(await till.problems()).toEqual([]);
});

test('a payment whose notification and questions were lost is entered from the bill', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const id = await till.order();
  till.alipay.pay(await till.start(id));

  await compareBills(till.deps, tomorrow);

  expect((await till.statusOf(id)).status).toBe('paid');
  expect((await comparedBills(t.db)).flatMap(({ differences }) => differences)).toEqual([]);
});

test('what a bill says otherwise is shown, and superusers are alerted', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  const { number } = await paidOrder(till);
  const missing = await paidOrder(till);
  till.alipay.payments.delete(missing.number);
  till.alipay.payTwice(number); // the provider has charged for one number twice
  till.alipay.payments.set('P20261124STRANGER', {
    amountFen: 5,
    isClosed: false,
    paid: [{ transactionId: 'x', amountFen: 5, paidAt: new Date() }],
  });
  await alertSuperuser(t.db, till.userId);

  await compareBills(till.deps, tomorrow);

  const differences = (await comparedBills(t.db)).flatMap((bill) => bill.differences as string[]);
  expect(differences).toEqual([
    `付款 ${number}（账单上 ${(PRICE_FEN * 2) / 100}.00 元）在这里是 26.00 元`,
    '付款 P20261124STRANGER（账单上 0.05 元）在这里没有记录',
    `付款 ${missing.number}（26.00 元）不在账单里`,
  ]);
  expect((await till.problems()).every((problem) => problem.startsWith('支付宝 '))).toBe(true);
  expect(await till.problems()).toHaveLength(3);
  const deliveries = await t.db.selectFrom('alertDelivery').select(['event', 'details']).execute();
  expect(deliveries).toMatchObject([{ event: 'ledger_unbalanced', details: { problemCount: 3 } }]);
});

test('a bill that cannot be read is compared later', async () => {
  await using t = await openTestDb();
  const till = await openTill(t.db);
  await paidOrder(till);
  till.alipay.outage = 'before';
  await compareBills(till.deps, tomorrow);
  expect(await comparedBills(t.db)).toEqual([]);
  till.alipay.outage = 'none';

  await compareBills(till.deps, tomorrow);

  expect((await comparedBills(t.db)).length).toBeGreaterThan(0);
});
