import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { type AuditActor, recordAuditEntry } from '../../audit/index.ts';
import { moveInLedger } from '../../ledger/index.ts';
import { refundInOrder } from '../../orders/index.ts';
import { lockOrder, lockSettlingPayment } from '../paying/payment-store.ts';
import type { PaymentDeps } from '../payment-deps.ts';
import { requestRefund } from './insert-refund.ts';
import { findUsername } from './refund-store.ts';

export type OrderRefund = { orderId: number; amountFen: number; reason: string; actor: AuditActor };

/**
 * Refunds a part of what an order cost, or what is left of it. With the last fen the order loses what it gave. The money is
 * sent by a job. Throws order.not-found, order.not-paid, refund.too-large, refund.keys-redeemed.
 */
export async function refundOrder({ db }: Pick<PaymentDeps, 'db'>, refund: OrderRefund): Promise<void> {
  await db.transaction().execute(async (tx) => await refundLocked(tx, refund));
}

async function refundLocked(tx: Db, { orderId, amountFen, reason, actor }: OrderRefund): Promise<void> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw new AppError('order.not-found');
  const payment = await lockSettlingPayment(tx, orderId);
  if (!payment) throw new AppError('order.not-paid');
  const refundedFen = order.refundedFen + amountFen;
  if (refundedFen > order.amountFen) throw new AppError('refund.too-large');
  await refundInOrder(tx, orderId, amountFen);
  const madeBy = actor === 'service' ? '' : await findUsername(tx, actor.userId);
  const id = await requestRefund(tx, { paymentId: payment.id, amountFen, reason, madeBy });
  await moveInLedger(tx, {
    reference: `refund:${id}:requested`,
    orderId,
    ...{ from: 'to-return', to: 'sales', amountFen },
  });
  await recordAuditEntry(tx, actor, {
    action: 'order.refunded',
    object: { type: 'order', id: orderId, name: order.number },
    before: { refunded_fen: order.refundedFen },
    after: { refunded_fen: refundedFen, amount_fen: amountFen, reason },
  });
}
