import { pino } from 'pino';
import { sql } from 'kysely';
import { openDb, type Db } from '../../../db/driver.ts';
import { migrate } from '../../../db/migrate.ts';
import { insertAccount, testKeys } from '../../../testing/apps/open-account-app.ts';
import { openTestApp, type TestApp } from '../../../testing/apps/open-test-app.ts';
import { insertProduct } from '../../../testing/billing-fixtures.ts';
import { registerOrderRoutes } from '../../orders/index.ts';
import { listReturns, listWaitingPayments } from '../../payments/index.ts';
import { registerProductRoutes } from '../../products/index.ts';
import { registerManageOrderRoutes } from '../manage-order-routes.ts';

/** A statement has 15 seconds. */
const PORTION = 10_000;
/** An ordinary account has five orders, and one has a fiftieth of all. */
const BUYERS_SHARE = 5;
const BIG_BUYERS_SHARE = 50;

export type MeasuredOrders = AsyncDisposable & {
  app: TestApp;
  staffId: number;
  /** Accounts with few orders and with many. */
  buyerId: number;
  bigBuyerId: number;
  orderId: number;
  orderNumber: string;
  paymentNumber: string;
  transactionId: string;
  refundNumber: string;
};

/** A database in an empty folder with so many orders, with their payments, refunds and plans, and the calls about them. */
export async function openMeasuredOrders(dir: string, orderCount: number): Promise<MeasuredOrders> {
  await using parts = new AsyncDisposableStack();
  const { db } = parts.use(await openDb({ embeddedDir: dir }, pino({ level: 'silent' })));
  await migrate(db);
  const productId = await insertProduct(db);
  await insertProduct(db, { name: '进阶版', price_fen: 7_800, bandwidth_bps: 8_000_000, mapping_limit: 20 });
  const staffId = await insertAccount(db, { username: 'staff', isStaff: true });
  const bigBuyerId = await insertAccount(db, { username: 'big-buyer' });
  const buyers = await insertBuyers(db, Math.ceil(orderCount / BUYERS_SHARE));
  for (let from = 1; from <= orderCount; from += PORTION) {
    const to = Math.min(orderCount, from + PORTION - 1);
    await insertOrders(db, { productId, bigBuyerId, buyers, from, to });
  }
  await sql`vacuum analyze`.execute(db);
  const payments = {
    providers: ['alipay' as const],
    start: async () => undefined,
    listWaiting: async (ids: readonly number[]) => await listWaitingPayments(db, ids),
    listReturns: async (ids: readonly number[]) => await listReturns(db, ids),
    close: async () => undefined,
  };
  const app = parts.use(
    await openTestApp(db, (fastify) => {
      registerManageOrderRoutes(fastify, { db });
      registerOrderRoutes(fastify, { db, sealingKey: testKeys.sealingKey, payments });
      registerProductRoutes(fastify, { db });
    }),
  );
  const opened = parts.move();
  const orderId = Math.floor(orderCount / 2 / 10) * 10; // refunded in part, as each tenth one
  return {
    ...{ app, staffId, bigBuyerId, buyerId: buyers.first, orderId },
    ...{ orderNumber: `T${orderId}`, paymentNumber: `P${orderId}`, refundNumber: `R${orderId}` },
    transactionId: `20260000${orderId}`,
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

type Buyers = { first: number; count: number };

async function insertBuyers(db: Db, count: number): Promise<Buyers> {
  const { rows } = await sql<{ id: number }>`
    insert into user_account (username) select '买家 ' || n from generate_series(1, ${count}::integer) as n
    returning id`.execute(db);
  return { first: Math.min(...rows.map(({ id }) => id)), count };
}

type Portion = { productId: number; bigBuyerId: number; buyers: Buyers; from: number; to: number };

/**
 * Of each ten orders six are paid, one of these is refunded in part; one is refunded as a whole, two are closed, and one was
 * a key. Each paid order has a plan that is not over, which is more than there would be.
 */
async function insertOrders(db: Db, { productId, bigBuyerId, buyers, from, to }: Portion): Promise<void> {
  await sql`
    insert into product_order (number, user_id, uuid_from_client, kind, status, product_id, product_name, days,
      bandwidth_bps, mapping_limit, app_kinds, price_fen, amount_fen, refunded_fen, created_at, closes_at, paid_at, closed_at)
    select 'T' || n,
      case when n % ${BIG_BUYERS_SHARE}::integer = 0 then ${bigBuyerId}::integer
        else ${buyers.first}::integer + n % ${buyers.count}::integer end,
      gen_random_uuid(), case when n % 10 = 9 then 'key' else 'new' end, status, p.id, p.name, p.days, p.bandwidth_bps,
      p.mapping_limit, p.app_kinds, p.price_fen, case when n % 10 = 9 then 0 else p.price_fen end,
      case when status = 'refunded' then p.price_fen when n % 10 = 0 then 100 else 0 end, at, at + interval '1 day',
      case when status in ('paid', 'refunded') then at end, case when status = 'closed' then at end
    from product p, generate_series(${from}::integer, ${to}::integer) as n,
      lateral (select now() - make_interval(mins => 200000 - n) as at,
        case when n % 10 = 1 then 'refunded' when n % 10 in (2, 3) then 'closed' else 'paid' end as status) as state
    where p.id = ${productId} order by n`.execute(db);
  await sql`
    insert into payment (order_id, provider, number, amount_fen, paid_fen, refunded_fen, status, settles, transaction_id,
      expires_at, paid_at)
    select id, case when id % 2 = 0 then 'alipay' else 'wechat' end, 'P' || id, amount_fen,
      case when paid_at is not null then amount_fen end, refunded_fen,
      case when paid_at is not null then 'paid' else 'closed' end, paid_at is not null,
      case when paid_at is not null then '20260000' || id end, closes_at, paid_at
    from product_order where id between ${from}::integer and ${to}::integer and amount_fen > 0`.execute(db);
  await sql`
    insert into refund (payment_id, number, amount_fen, reason, status, done_at)
    select payment.id, 'R' || order_id, refunded_fen, '测试', 'done', now()
    from payment where order_id between ${from}::integer and ${to}::integer and refunded_fen > 0`.execute(db);
  await sql`
    insert into plan (id, user_id, product_id, product_name, days, bandwidth_bps, mapping_limit, app_kinds, price_fen,
      starts_at, ends_at)
    select id, user_id, product_id, product_name, days, bandwidth_bps, mapping_limit, app_kinds, price_fen, now(),
      now() + make_interval(days => days)
    from product_order where id between ${from}::integer and ${to}::integer and status = 'paid'`.execute(db);
}
