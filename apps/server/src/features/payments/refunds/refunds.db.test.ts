import { expect, test } from 'vitest';
import { lockUserForNoKeyUpdate } from '../../../db/lock-user.ts';
import { openTestDb } from '../../../db/open-test-db.ts';
import { insertUser } from '../../../testing/device-fixtures.ts';
import { runBothWhileLocked } from '../../../testing/run-both-while-locked.ts';
import { openTill, PRICE_FEN, reconcile, type Till } from '../testing/open-till.ts';
import { recordRefund } from './record-refund.ts';
import { refundOrder } from './refund-order.ts';

async function openPaidTill(t: Awaited<ReturnType<typeof openTestDb>>) {
  const till = await openTill(t.db);
  const staffId = await insertUser(t.db, 'staff');
  const orderId = await till.order();
  till.alipay.pay(await till.start(orderId));
  await reconcile(till);
  const refund = async (amountFen: number): Promise<void> => {
    const actor = { userId: staffId, ip: '203.0.113.9' };
    await refundOrder(till.deps, { orderId, amountFen, reason: '买错了', actor });
  };
  return { ...till, staffId, orderId, refund };
}

async function refundsOf({ db }: Pick<Till, 'db'>) {
  return await db
    .selectFrom('refund')
    .select(['number', 'amountFen', 'status', 'problem', 'tries'])
    .orderBy('id')
    .execute();
}

test('a part of an order can be refunded, and the rest later, which takes the plan back', async () => {
  await using t = await openTestDb();
  const till = await openPaidTill(t);
  const isOver = async () =>
    (await t.db.selectFrom('plan').select('endsAt').executeTakeFirstOrThrow()).endsAt.getTime() <= Date.now();

  await till.refund(1_000);
  expect(await till.statusOf(till.orderId)).toEqual({ status: 'paid', refundedFen: 1_000 });
  expect(await isOver()).toBe(false);
  await till.refund(PRICE_FEN - 1_000);
  expect(await till.statusOf(till.orderId)).toEqual({ status: 'refunded', refundedFen: PRICE_FEN });
  expect(await isOver()).toBe(true);
  expect(await till.problems()).toEqual([]); // also before the money has moved
  await reconcile(till);

  expect(await refundsOf(till)).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  expect(till.alipay.heldFen()).toBe(0);
  expect(await till.problems()).toEqual([]);
  const audited = await t.db
    .selectFrom('auditEntry')
    .select(['action', 'actor', 'ip', 'after'])
    .orderBy('id')
    .execute();
  expect(audited).toMatchObject([
    { action: 'order.refunded', actor: 'staff', ip: '203.0.113.9', after: { refunded_fen: 1_000, reason: '买错了' } },
    { action: 'order.refunded', after: { refunded_fen: PRICE_FEN } },
  ]);
});

test('no refund is larger than what is left, and none without a payment', async () => {
  await using t = await openTestDb();
  const till = await openPaidTill(t);
  await till.refund(600);

  await expect(till.refund(PRICE_FEN - 599)).rejects.toMatchObject({
    code: 'refund.too-large',
    detail: { zh: '退款金额超过了还可以退的金额：最多还可以退 20.00 元' },
  });
  const unpaid = await till.order();
  const other = { amountFen: 1, reason: 'x', actor: 'service' as const };
  await expect(refundOrder(till.deps, { ...other, orderId: unpaid })).rejects.toMatchObject({ code: 'order.not-paid' });
  await expect(refundOrder(till.deps, { ...other, orderId: 999 })).rejects.toMatchObject({ code: 'order.not-found' });
  expect(await refundsOf(till)).toHaveLength(1);
});

test('of two refunds at once that are too much together, one is refused', async () => {
  await using t = await openTestDb();
  const till = await openPaidTill(t);

  const both = await runBothWhileLocked(
    t,
    async (tx) => await lockUserForNoKeyUpdate(tx, till.userId),
    async () => await till.refund(1_500),
    async () => await till.refund(1_500),
  );

  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await reconcile(till);
  expect(till.alipay.heldFen()).toBe(PRICE_FEN - 1_500);
  expect(await till.problems()).toEqual([]);
});

test('the database refuses refunds above the payment', async () => {
  await using t = await openTestDb();
  await openPaidTill(t);

  const write = t.db
    .updateTable('payment')
    .set({ refundedFen: PRICE_FEN + 1 })
    .execute();

  await expect(write).rejects.toMatchObject({ code: '23514' });
});

test('a refund without an answer is sent again under its number, and returns the money once', async () => {
  await using t = await openTestDb();
  const till = await openPaidTill(t);
  till.alipay.outage = 'after';
  await till.refund(500);
  await reconcile(till);
  expect(await refundsOf(till)).toMatchObject([{ status: 'requested', problem: 'alipay: unavailable', tries: 1 }]);
  till.alipay.outage = 'none';

  await reconcile(till);

  expect(await refundsOf(till)).toMatchObject([{ status: 'done', problem: null, tries: 2 }]);
  expect(till.alipay.refunds.size).toBe(1);
  expect(till.alipay.heldFen()).toBe(PRICE_FEN - 500);
});

test('a pending refund is asked about until it is done', async () => {
  await using t = await openTestDb();
  const till = await openPaidTill(t);
  till.alipay.refundState = 'pending';
  await till.refund(500);
  await reconcile(till);
  await reconcile(till);
  expect(await refundsOf(till)).toMatchObject([{ status: 'pending' }]);
  expect(await till.problems()).toEqual([]);
  for (const refund of till.alipay.refunds.values()) refund.state = 'done';

  await reconcile(till);

  expect(await refundsOf(till)).toMatchObject([{ status: 'done' }]);
  expect(await till.problems()).toEqual([]);
});

test('a refund that failed is shown and tried again under another number', async () => {
  await using t = await openTestDb();
  const till = await openPaidTill(t);
  till.alipay.refundState = 'failed';
  await till.refund(500);
  const [requested] = await refundsOf(till);
  await reconcile(till);
  const [failed] = await refundsOf(till);
  expect(failed).toMatchObject({ status: 'failed', problem: expect.stringContaining('重试') });
  expect(failed?.number).not.toBe(requested?.number);
  till.alipay.refundState = 'done';
  await reconcile(till);

  expect(await refundsOf(till)).toMatchObject([{ status: 'done', problem: null }]);
  // A late report of the first try changes nothing.
  await recordRefund(till.deps, { number: requested?.number ?? '', state: 'failed' });
  await recordRefund(till.deps, { number: failed?.number ?? '', state: 'failed' });
  expect(await refundsOf(till)).toMatchObject([{ status: 'done' }]);
  expect(till.alipay.heldFen()).toBe(PRICE_FEN - 500);
  expect(await till.problems()).toEqual([]);
});

test('each failure makes the next try wait longer', async () => {
  await using t = await openTestDb();
  const till = await openPaidTill(t);
  till.alipay.outage = 'before';
  await till.refund(500);
  const waits: number[] = [];
  for (let index = 0; index < 4; index++) {
    await reconcile(till);
    const row = await t.db
      .selectFrom('refund')
      .select((eb) =>
        eb.fn<number>('date_part', [eb.val('epoch'), eb('nextTryAt', '-', eb.fn<Date>('now'))]).as('seconds'),
      )
      .executeTakeFirstOrThrow();
    waits.push(Math.ceil(row.seconds / 15));
  }

  expect(waits).toEqual([1, 2, 4, 8]);
});

test('without a provider the jobs leave refunds as they are, until there is one again', async () => {
  await using t = await openTestDb();
  const till = await openPaidTill(t);
  await till.refund(100);

  await reconcile({ db: t.db, deps: { ...till.deps, providers: new Map() } });

  expect(await refundsOf(till)).toMatchObject([{ status: 'requested', tries: 0 }]);
  await reconcile(till);
  expect(await refundsOf(till)).toMatchObject([{ status: 'done', tries: 1 }]);
});
