import type { Db } from '../../../db/driver.ts';
import type { Pay, Return } from '../../orders/index.ts';
import { type ListedRefund, listRefundsOfPayments, listReturnsOfOrders } from '../refunds/refund-store.ts';
import { listPaymentsOfOrders, listShownQrs, type PaymentRow } from './payment-store.ts';

export type ListedPayment = PaymentRow & { refunds: ListedRefund[] };

/** How each of these orders can be paid at this moment: by the code that was asked for last and still works. */
export async function listWaitingPayments(db: Db, orderIds: readonly number[]): Promise<Map<number, Pay>> {
  const rows = await listShownQrs(db, orderIds);
  return new Map(rows.map(({ orderId, ...pay }) => [orderId, pay]));
}

/** What arrived for these orders but did not pay them, and goes back; the oldest first. */
export async function listReturns(db: Db, orderIds: readonly number[]): Promise<Map<number, Return[]>> {
  return Map.groupBy(await listReturnsOfOrders(db, orderIds), ({ orderId }) => orderId);
}

/** The payments of these orders with their refunds, for staff; the oldest first. */
export async function listPayments(db: Db, orderIds: readonly number[]): Promise<Map<number, ListedPayment[]>> {
  const payments = await listPaymentsOfOrders(db, orderIds);
  const refunds = Map.groupBy(
    await listRefundsOfPayments(
      db,
      payments.map(({ id }) => id),
    ),
    ({ paymentId }) => paymentId,
  );
  const rows = payments.map((payment) => ({ ...payment, refunds: refunds.get(payment.id) ?? [] }));
  return Map.groupBy(rows, ({ orderId }) => orderId);
}
