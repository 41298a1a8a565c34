import { AppError, type ManagedOrder } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/driver.ts';
import { mount } from '../../http/mount.ts';
import { pageLinks } from '../../http/page-links.ts';
import { describeOrder, listOrdersById, type Return } from '../orders/index.ts';
import { type ListedPayment, listPayments, refundOrder } from '../payments/index.ts';
import { listBuyers, listManagedOrderIds, type OrderFilter } from './managed-order-store.ts';

const path = '/api/manage/orders/';

/** For staff: all orders with their payments and refunds. */
export function registerManageOrderRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  mount(app, 'GET /api/manage/orders/', { login: 'required' }, async ({ query }) => {
    const filter: OrderFilter = {
      ...(query.status !== undefined && { status: query.status }),
      ...(query.kind !== undefined && { kind: query.kind }),
      ...(query.user !== undefined && { user: query.user }),
      ...(query.search !== undefined && { search: query.search }),
    };
    const { count, ids } = await listManagedOrderIds(db, filter, query);
    return { count, ...pageLinks(path, query, count), results: await describeOrders(db, ids) };
  });
  mount(app, 'POST /api/manage/orders/{id}/refund/', { login: 'required' }, async ({ params, body, req, session }) => {
    const { amount_fen: amountFen, reason, refunded_fen: knownRefundedFen } = body;
    const actor = { userId: session.userId, ip: req.ip };
    await refundOrder({ db }, { orderId: params.id, amountFen, reason, actor, knownRefundedFen });
    const [order] = await describeOrders(db, [params.id]);
    if (!order) throw new AppError('order.not-found');
    return order;
  });
}

async function describeOrders(db: Db, ids: readonly number[]): Promise<ManagedOrder[]> {
  const orders = await listOrdersById(db, ids);
  const payments = await listPayments(db, ids);
  const buyers = await listBuyers(
    db,
    orders.flatMap(({ userId }) => userId ?? []),
  );
  const userOf = new Map(buyers.map((buyer) => [buyer.id, buyer]));
  return orders.map((order) => ({
    ...describeOrder(order, { returns: payments.get(order.id)?.flatMap(returnsOf) }),
    user: (order.userId !== null && userOf.get(order.userId)) || null,
    payments: (payments.get(order.id) ?? []).map(paymentReply),
  }));
}

function returnsOf({ settles, refunds }: ListedPayment): Return[] {
  return settles ? [] : refunds.map(({ status, ...refund }) => ({ ...refund, isDone: status === 'done' }));
}

function paymentReply(payment: ListedPayment): ManagedOrder['payments'][number] {
  return {
    id: payment.id,
    provider: payment.provider,
    number: payment.number,
    status: payment.status,
    amount_fen: payment.paidFen ?? payment.amountFen,
    transaction_id: payment.transactionId,
    paid_at: payment.paidAt?.toISOString() ?? null,
    refunds: payment.refunds.map((refund) => ({
      id: refund.id,
      amount_fen: refund.amountFen,
      reason: refund.reason,
      status: refund.status,
      made_by: refund.madeBy,
      ...(refund.problem !== null && { problem: refund.problem }),
      created_at: refund.createdAt.toISOString(),
      done_at: refund.doneAt?.toISOString() ?? null,
    })),
  };
}
