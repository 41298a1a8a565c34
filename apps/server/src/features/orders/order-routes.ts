import { AppError, type Order, type OrderKind, type PaymentProviderId } from '@tongtu/contract';
import { must } from '@tongtu/base';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import { termsReply } from '../products/index.ts';
import { createOrder, type OrderRequest } from './create-order.ts';
import { isSameBulkOrder, isSameOrder } from './is-same-order.ts';
import { findOrder, findOwnOrder, listOrdersOfUser, type OrderRow } from './order-store.ts';
import { registerPlanRoutes } from './plan-routes.ts';
import { priceBulkOrder, priceOrder } from './price-order.ts';
import { closeOrder, type OrderDeps } from './settle-order.ts';

/** How an open order can be paid at this moment. */
export type Pay = { provider: PaymentProviderId; qrText: string; expiresAt: Date };

/** Money that arrived for an order but did not pay it, and goes back. */
export type Return = { amountFen: number; reason: string; isDone: boolean };

/** What orders need of payments, which know orders. */
type OrderPayments = {
  /** The ways to pay, the first one by default. */
  providers: readonly PaymentProviderId[];
  /** Makes or finds the payment of an open order. Throws payment.unavailable. */
  start(orderId: number, provider: PaymentProviderId): Promise<void>;
  /** The latest payments that wait, by order. */
  listWaiting(orderIds: readonly number[]): Promise<ReadonlyMap<number, Pay>>;
  /** The payments that go back, by order. */
  listReturns(orderIds: readonly number[]): Promise<ReadonlyMap<number, Return[]>>;
  /** Closes the payments of an order at their providers, and settles one that has arrived meanwhile. */
  close(orderId: number): Promise<void>;
};

export type OrderRoutesDeps = OrderDeps & { db: Db; payments: OrderPayments };

/** The calls about one's own orders and plans. */
export function registerOrderRoutes(app: FastifyInstance, deps: OrderRoutesDeps): void {
  const { db, payments } = deps;
  registerPlanRoutes(app, { db });
  mount(app, 'GET /api/user/product/orders/', { login: 'required' }, async ({ query, session }) => {
    const { count, orders } = await listOrdersOfUser(db, session.userId, query);
    return { count, ...pageLinks('/api/user/product/orders/', query, count), results: await replies(deps, orders) };
  });
  mount(app, 'POST /api/user/product/orders/', { login: 'required' }, async ({ body, session: { userId } }) => {
    const { uuid_from_client: uuid, amount_fen: shownFen } = body;
    const price = async (tx: Db) => await priceOrder(tx, userId, body);
    const isSame = (_tx: Db, present: OrderRow) => isSameOrder(present, body);
    return await order(deps, { userId, uuid, shownFen, isSame, price }, body.provider);
  });
  mount(app, 'GET /api/user/product/orders/{id}/', { login: 'required' }, async ({ params, session }) => {
    return await orderReply(deps, await getOwnOrder(db, { id: params.id, userId: session.userId }));
  });
  mount(app, 'DELETE /api/user/product/orders/{id}/', { login: 'required' }, async ({ params, session }) => {
    await assertOpen(db, { id: params.id, userId: session.userId });
    await payments.close(params.id);
    await db.transaction().execute(async (tx) => await closeOrder(tx, params.id));
    return await replyOf(deps, params.id);
  });
  mount(
    app,
    'POST /api/user/product/orders/{id}/payment/',
    { login: 'required' },
    async ({ params, body, session }) => {
      await assertOpen(db, { id: params.id, userId: session.userId });
      await payments.start(params.id, providerOf(payments, body.provider));
      return await replyOf(deps, params.id);
    },
  );
  registerBulkOrders(app, deps);
}

function registerBulkOrders(app: FastifyInstance, deps: OrderRoutesDeps): void {
  mount(app, 'POST /api/user/product/bulkorders/', { login: 'required' }, async ({ body, session }) => {
    const { userId, flags } = session;
    const user = { id: userId, isStaff: flags.is_staff || flags.is_superuser };
    const { uuid_from_client: uuid, amount_fen: shownFen } = body;
    const price = async (tx: Db) => await priceBulkOrder(tx, user, body);
    const isSame = async (tx: Db, present: OrderRow) => await isSameBulkOrder(tx, present, body);
    return await order(deps, { userId, uuid, shownFen, isSame, price }, body.provider);
  });
  mount(app, 'GET /api/user/product/bulkorders/{id}', { login: 'required' }, async ({ params, session }) => {
    const own = { id: params.id, userId: session.userId };
    return await orderReply(deps, await getOwnOrder(deps.db, own, ['bulk']));
  });
}

/** Creates the order and its first payment. Where the provider does not answer, the page asks for the payment again. */
async function order(
  deps: OrderRoutesDeps,
  request: Omit<OrderRequest, 'canBePaid'>,
  wanted: PaymentProviderId | undefined,
): Promise<Order> {
  const { db, payments } = deps;
  const provider = wanted === undefined ? payments.providers[0] : providerOf(payments, wanted);
  const row = await createOrder(deps, db, { ...request, canBePaid: provider !== undefined });
  const isWaiting = row.status === 'open' && (await payments.listWaiting([row.id])).has(row.id);
  if (row.status !== 'open' || provider === undefined || isWaiting) return await orderReply(deps, row);
  try {
    await payments.start(row.id, provider);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'payment.unavailable')) throw error;
  }
  return await replyOf(deps, row.id);
}

function providerOf({ providers }: OrderPayments, wanted: PaymentProviderId): PaymentProviderId {
  if (!providers.includes(wanted)) throw new AppError('payment.provider-unknown');
  return wanted;
}

type Own = { id: number; userId: number };

async function getOwnOrder(db: Db, own: Own, kinds?: readonly OrderKind[]): Promise<OrderRow> {
  const row = await findOwnOrder(db, own, kinds);
  if (row === undefined) throw new AppError('order.not-found');
  return row;
}

async function assertOpen(db: Db, own: Own): Promise<void> {
  const { status } = await getOwnOrder(db, own);
  if (status !== 'open') throw new AppError('order.not-open');
}

async function replyOf(deps: OrderRoutesDeps, id: number): Promise<Order> {
  return await orderReply(deps, must(await findOrder(deps.db, id), 'the order of this call'));
}

async function orderReply(deps: OrderRoutesDeps, row: OrderRow): Promise<Order> {
  const [reply] = await replies(deps, [row]);
  return must(reply, 'the reply of one order');
}

async function replies({ payments }: OrderRoutesDeps, rows: OrderRow[]): Promise<Order[]> {
  const waiting = await payments.listWaiting(rows.filter(({ status }) => status === 'open').map(({ id }) => id));
  const returns = await payments.listReturns(rows.map(({ id }) => id));
  return rows.map((row) => {
    const isOpen = row.status === 'open';
    return describeOrder(row, {
      pay: isOpen ? waiting.get(row.id) : undefined,
      providers: isOpen ? payments.providers : [],
      returns: returns.get(row.id),
    });
  });
}

type OrderMoney = {
  pay?: Pay | undefined;
  /** None unless the order is open. */
  providers?: readonly PaymentProviderId[];
  returns?: readonly Return[] | undefined;
};

/** An order as its buyer sees it, and as staff do. */
export function describeOrder(row: OrderRow, { pay, providers = [], returns = [] }: OrderMoney = {}): Order {
  return {
    ...{ id: row.id, number: row.number, kind: row.kind, status: row.status },
    product: termsReply(row),
    quantity: row.quantity,
    amount_fen: row.amountFen,
    refunded_fen: row.refundedFen,
    plan: row.status === 'open' ? null : row.planId,
    router: row.deviceId,
    created_at: row.createdAt.toISOString(),
    closes_at: row.status === 'open' ? row.closesAt.toISOString() : null,
    paid_at: row.paidAt?.toISOString() ?? null,
    pay: pay ? { provider: pay.provider, qr_text: pay.qrText, expires_at: pay.expiresAt.toISOString() } : null,
    providers: [...providers],
    returns: returns.map(({ amountFen, reason, isDone }) => ({ amount_fen: amountFen, reason, is_done: isDone })),
  };
}
