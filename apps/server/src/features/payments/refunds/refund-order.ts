import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { type AuditActor, recordAuditEntry } from '../../audit/index.ts';
import { moveInLedger, yuanOf } from '../../ledger/index.ts';
import { refundInOrder } from '../../orders/index.ts';
import { lockOrder, lockSettlingPayment } from '../paying/payment-store.ts';
import type { PaymentDeps } from '../payment-deps.ts';
import { requestRefund } from './insert-refund.ts';
import { findUsername } from './refund-store.ts';

export type OrderRefund = {
  orderId: number;
  amountFen: number;
  reason: string;
  actor: AuditActor;
  /** What had been refunded when the caller decided; undefined if the caller does not say. */
  knownRefundedFen?: number | undefined;
};

/**
 * Refunds a part of what an order cost, or what is left of it. With the last fen the order loses what it gave. The money is
 * sent by a job. Throws order.not-found, order.not-paid, refund.changed, refund.too-large, refund.keys-redeemed,
 * refund.upgrade-first.
 */
export async function refundOrder({ db }: Pick<PaymentDeps, 'db'>, refund: OrderRefund): Promise<void> {
  await db.transaction().execute(async (tx) => await refundLocked(tx, refund));
}

async function refundLocked(tx: Db, refund: OrderRefund): Promise<void> {
  const { orderId, amountFen, reason, actor, knownRefundedFen } = refund;
  const order = await lockOrder(tx, orderId);
  if (!order) throw new AppError('order.not-found');
  const payment = await lockSettlingPayment(tx, orderId);
  if (!payment) throw new AppError('order.not-paid');
  // The reply to the first try was lost, or somebody else refunds at the same time.
  if (knownRefundedFen !== undefined && knownRefundedFen !== order.refundedFen) throw changed(order.refundedFen);
  const refundedFen = order.refundedFen + amountFen;
  if (refundedFen > order.amountFen) throw tooLarge(order.amountFen - order.refundedFen);
  await refundInOrder(tx, { orderId, amountFen, actor });
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

function changed(refundedFen: number): AppError {
  const refunded = yuanOf(refundedFen);
  return new AppError('refund.changed', {
    detail: {
      zh: `这个订单在您打开之后已有退款，现在共退 ${refunded}。请关闭窗口，核对后再退`,
      en: `This order has been refunded meanwhile, by ${refunded} in all. Close this and check it first.`,
    },
  });
}

function tooLarge(leftFen: number): AppError {
  const left = yuanOf(leftFen);
  return new AppError('refund.too-large', {
    detail: {
      zh: `退款金额超过了还可以退的金额：最多还可以退 ${left}`,
      en: `The refund is larger than what is left: ${left} at most.`,
    },
  });
}
