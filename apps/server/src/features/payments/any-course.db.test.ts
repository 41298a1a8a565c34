import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTestDb } from '../../db/open-test-db.ts';
import { crashingDb } from '../../testing/crashing-db.ts';
import { compareBills } from './reconciling/compare-bills.ts';
import { letOrderExpire, openTill, PRICE_FEN, reconcile, type Till } from './testing/open-till.ts';
import { closePayments } from './paying/close-payments.ts';
import { startPayment } from './paying/start-payment.ts';
import { receiveNotification } from './paying/receive-notification.ts';
import { refundOrder } from './refunds/refund-order.ts';
import { sendRefunds } from './refunds/send-refunds.ts';
import { closeOverdueOrders } from './reconciling/ask-about-payments.ts';
import type { MemoryProvider } from '../../testing/memory-provider.ts';

/** What can happen, to the order and at the provider that the numbers choose. */
const step = fc.record({
  what: fc.constantFrom(
    ...(['order', 'start', 'start', 'pay', 'pay', 'pay-wrong', 'notify', 'notify', 'notify-all', 'expire'] as const),
    ...(['cancel', 'close-job', 'refund', 'refund-all', 'send-refunds', 'ask', 'delete-account'] as const),
  ),
  which: fc.nat({ max: 7 }),
  provider: fc.constantFrom('alipay' as const, 'wechat' as const),
  /**
   * The process ends in the middle: before or after the provider has acted, with nothing committed after it; or in a
   * transaction, which is lost.
   */
  crash: fc.constantFrom(...(['none', 'none', 'none', 'none', 'before', 'after', 'in-transaction'] as const)),
  refundState: fc.constantFrom('done' as const, 'done' as const, 'pending' as const, 'failed' as const),
  amountFen: fc.integer({ min: 1, max: PRICE_FEN }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Course = {
  till: Till;
  isDeleted: boolean;
  orders: number[];
  paid: { provider: MemoryProvider; number: string }[];
};

async function take(course: Course, { what, which, provider: id, crash, ...step }: Step): Promise<void> {
  const { orders, paid } = course;
  const db = crashingDb(course.till.db, () => crash === 'in-transaction');
  const till = { ...course.till, deps: { ...course.till.deps, db } };
  const provider = till[id];
  const orderId = orders[which % Math.max(1, orders.length)] ?? 0;
  for (const one of [till.alipay, till.wechat])
    Object.assign(one, { outage: crash === 'in-transaction' ? 'none' : crash, refundState: step.refundState });
  const number = await newestNumber(till, orderId, id);
  switch (what) {
    case 'order':
      if (!course.isDeleted) orders.push(await till.order());
      return;
    case 'start':
      await startPayment(till.deps, { orderId, provider: id });
      return;
    case 'pay':
    case 'pay-wrong':
      if (number !== undefined && provider.pay(number, what === 'pay' ? undefined : step.amountFen))
        paid.push({ provider, number });
      return;
    case 'notify':
      if (paid.length > 0) await notify(till, paid[which % paid.length]);
      return;
    case 'notify-all':
      await Promise.all(paid.map(async (one) => await notify(till, one)));
      return;
    case 'expire':
      if (orderId > 0) await letOrderExpire(till.db, orderId, which * 20);
      return;
    case 'cancel':
      await closePayments(till.deps, orderId);
      return;
    case 'close-job':
      await closeOverdueOrders(till.deps);
      return;
    case 'refund':
    case 'refund-all': {
      const amountFen = what === 'refund' ? step.amountFen : PRICE_FEN;
      await refundOrder(till.deps, { orderId, amountFen, reason: '测试', actor: 'service' });
      return;
    }
    case 'send-refunds':
      await sendRefunds(till.deps);
      return;
    case 'ask':
      await reconcile(till);
      return;
    case 'delete-account':
      if (which !== 0) return; // rarely: nothing can be paid any more after it
      course.isDeleted = true;
      await till.db.deleteFrom('userAccount').where('id', '=', till.userId).execute();
  }
}

async function newestNumber({ db }: Till, orderId: number, provider: 'alipay' | 'wechat'): Promise<string | undefined> {
  const row = await db
    .selectFrom('payment')
    .select('number')
    .where('orderId', '=', orderId)
    .where('provider', '=', provider)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.number;
}

async function notify({ deps }: Till, paid: { provider: MemoryProvider; number: string } | undefined): Promise<void> {
  if (!paid) return;
  const rawBody = Buffer.from(JSON.stringify({ paymentNumber: paid.number }));
  await receiveNotification(deps, paid.provider, { headers: {}, rawBody });
}

/** The service runs again, the providers answer, and every job has had its time. */
async function settleDown({ till, orders }: Course): Promise<void> {
  for (const one of [till.alipay, till.wechat]) {
    Object.assign(one, { outage: 'none', refundState: 'done' });
    for (const refund of one.refunds.values()) if (refund.state === 'pending') refund.state = 'done';
  }
  for (const id of orders) await letOrderExpire(till.db, id, 61);
  for (let round = 0; round < 3; round++) await reconcile(till);
}

/** No order is lost that was paid, and nobody has paid for more than was got. */
async function assertSound({ till, orders }: Course): Promise<void> {
  expect(await till.problems()).toEqual([]);
  let keptFen = 0;
  for (const id of orders) {
    const { status, refundedFen } = await till.statusOf(id);
    const settling = (await till.paymentsOf(id)).filter(({ settles }) => settles);
    expect(settling).toHaveLength(status === 'paid' || status === 'refunded' ? 1 : 0);
    expect(status).not.toBe('open');
    if (status !== 'closed') keptFen += PRICE_FEN - refundedFen;
  }
  expect(till.alipay.heldFen() + till.wechat.heldFen()).toBe(keptFen);
  const undone = till.db.selectFrom('refund').select('id').where('status', '<>', 'done');
  expect(await undone.execute()).toEqual([]);
}

/** A step may be refused, or end in the crash that it simulates. */
async function attempt(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isExpected = error instanceof Error && ['AppError', 'PaymentProviderError', 'Crash'].includes(error.name);
    if (!isExpected) throw error;
  }
}

test('after any course of orders, payments, notifications, refunds and crashes every fen is where it belongs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      await using t = await openTestDb();
      const till = await openTill(t.db);
      const course: Course = { till, isDeleted: false, orders: [await till.order()], paid: [] };
      for (const one of steps) {
        await attempt(async () => await take(course, one));
        expect(await till.problems()).toEqual([]);
      }
      await settleDown(course);
      await assertSound(course);
      await compareBills(till.deps, new Date(Date.now() + 2 * 86_400_000));
      expect(await till.problems()).toEqual([]);
    }),
    { numRuns: 12 },
  );
}, 120_000);
