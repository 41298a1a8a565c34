import type { Db } from '../../../db/driver.ts';
import { notifyOfLedger } from '../../alerts/index.ts';
import { recordAuditEntry } from '../../audit/index.ts';
import { announceOrders } from '../../live/index.ts';
import { moveInLedger, PROVIDER_NAMES, yuanOf } from '../../ledger/index.ts';
import { settleOrder } from '../../orders/index.ts';
import type { PaymentDeps } from '../payment-deps.ts';
import type { PaymentProviderId } from '../payment-provider.ts';
import { insertReturn } from '../refunds/insert-refund.ts';
import * as store from './payment-store.ts';

/** A payment as a provider reports it, by a notification, an answer or its bill. */
export type ReportedPayment = {
  provider: PaymentProviderId;
  number: string;
  transactionId: string;
  amountFen: number;
  paidAt: Date;
};

/**
 * - `settled`: the order is paid. `returned`: the money pays no order and goes back.
 * - `repeated`: it was entered before. `unknown`: no payment here has this number. `conflicting`: the payment is entered
 *   with another transaction.
 */
export type Settlement = 'settled' | 'returned' | 'repeated' | 'unknown' | 'conflicting';

/**
 * Enters a payment that has arrived, exactly once, whatever reports it and how often. It pays its order if the amount is
 * right and the order is open; otherwise it is returned.
 */
export async function settlePayment(deps: PaymentDeps, reported: ReportedPayment): Promise<Settlement> {
  const known = await store.findPayment(deps.db, reported);
  const settlement = known
    ? await deps.db.transaction().execute(async (tx) => await enter(tx, deps, known, reported))
    : 'unknown';
  await report(deps, settlement, reported);
  return settlement;
}

async function report({ db, log }: PaymentDeps, settlement: Settlement, reported: ReportedPayment): Promise<void> {
  const { provider, number: payment, transactionId, amountFen } = reported;
  const facts = { provider, payment, transactionId, amountFen };
  if (settlement === 'settled') log.info(facts, 'an order was paid');
  if (settlement === 'returned') log.warn(facts, 'a payment is returned');
  if (settlement !== 'unknown' && settlement !== 'conflicting') return;
  // Only a person can find out whose money this is, in the merchant's account at the provider.
  log.error({ ...facts, settlement }, 'a payment cannot be assigned');
  const isKnown = settlement === 'conflicting';
  const money = `${PROVIDER_NAMES[provider]}付款 ${payment}（${yuanOf(amountFen)}，交易号 ${transactionId}）`;
  await db.transaction().execute(async (tx) => {
    await recordAuditEntry(tx, 'service', {
      action: 'payment.unassigned',
      object: { type: 'payment', id: null, name: payment },
      after: { provider, transaction_id: transactionId, amount_fen: amountFen, is_known: isKnown },
    });
    await notifyOfLedger(tx, [`${money}${isKnown ? '与已到账的不是同一笔交易' : '在这里没有记录'}`]);
  });
}

async function enter(
  tx: Db,
  { sealingKey }: PaymentDeps,
  known: store.PaymentRow,
  { provider, transactionId, amountFen, paidAt }: ReportedPayment,
): Promise<Settlement> {
  const { id, orderId } = known;
  const order = await store.lockOrder(tx, orderId);
  if (!order) throw new Error(`payment ${id} has no order`);
  const payment = await store.lockPayment(tx, id);
  if (payment.status === 'paid') return payment.transactionId === transactionId ? 'repeated' : 'conflicting';
  const obstacle = obstacleOf(order, payment, amountFen);
  const settles = obstacle === undefined && (await settleOrder({ sealingKey }, tx, orderId)) === 'settled';
  await store.markPaid(tx, id, { paidFen: amountFen, transactionId, paidAt, settles });
  const account = settles ? ('sales' as const) : ('to-return' as const);
  await moveInLedger(tx, { reference: `payment:${id}`, orderId, from: account, to: provider, amountFen });
  if (settles) return 'settled';
  const reason = obstacle ?? '订单对应的套餐已变化，付款自动退回';
  await insertReturn(tx, { paymentId: id, amountFen, reason });
  await recordAuditEntry(tx, 'service', {
    action: 'payment.returned',
    object: { type: 'order', id: orderId, name: order.number },
    after: { payment: payment.number, provider, amount_fen: amountFen, asked_fen: payment.amountFen, reason },
  });
  if (order.userId !== null) await announceOrders(tx, order.userId);
  return 'returned';
}

/** Why a payment cannot pay its order, as the buyer reads it beside the refund. */
function obstacleOf(order: store.PayableOrder, payment: store.PaymentRow, paidFen: number): string | undefined {
  if (paidFen !== payment.amountFen || paidFen !== order.amountFen) return '付款金额与订单不符，自动退回';
  if (order.userId === null) return '账号已注销，付款自动退回';
  if (order.status === 'closed') return '订单已关闭，付款自动退回';
  if (order.status !== 'open') return '订单已支付过，重复的付款自动退回';
  return undefined;
}
