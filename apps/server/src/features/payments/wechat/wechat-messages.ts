import { z } from 'zod';
import type { ProviderPayment, RefundState } from '../payment-provider.ts';

const Fen = z.int().nonnegative();
const Time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const paid = {
  transaction_id: z.string().min(1),
  success_time: Time,
  amount: z.object({ total: Fen, currency: z.literal('CNY').default('CNY') }),
};
const named = { appid: z.string(), mchid: z.string(), out_trade_no: z.string() };

/** A payment, in the reply of a query and in a notification. */
export const Transaction = z.discriminatedUnion('trade_state', [
  z.object({ ...named, ...paid, trade_state: z.enum(['SUCCESS', 'REFUND']) }),
  // PAYERROR is said of payments by a customer's code only; such a payment can still be paid.
  z.object({ ...named, trade_state: z.enum(['NOTPAY', 'USERPAYING', 'ACCEPT', 'PAYERROR']) }),
  z.object({ ...named, trade_state: z.enum(['CLOSED', 'REVOKED']) }),
]);
export type Transaction = z.output<typeof Transaction>;

export function paymentOf(transaction: Transaction): ProviderPayment {
  switch (transaction.trade_state) {
    case 'NOTPAY':
    case 'USERPAYING':
    case 'ACCEPT':
    case 'PAYERROR':
      return { state: 'waiting' };
    case 'CLOSED':
    case 'REVOKED':
      return { state: 'closed' };
    case 'SUCCESS':
    case 'REFUND': // after a part was refunded, too
      return {
        state: 'paid',
        transactionId: transaction.transaction_id,
        amountFen: transaction.amount.total,
        paidAt: transaction.success_time,
        hasRefund: transaction.trade_state === 'REFUND',
      };
  }
}

export const RefundStatus = z.enum(['SUCCESS', 'PROCESSING', 'CLOSED', 'ABNORMAL']);

/**
 * ABNORMAL: the buyer's card or account does not take the money back. It is still the merchant's, and somebody must decide
 * in WeChat Pay's console where it goes.
 */
export const refundStates: Record<z.output<typeof RefundStatus>, RefundState> = {
  SUCCESS: 'done',
  PROCESSING: 'pending',
  CLOSED: 'failed',
  ABNORMAL: 'failed',
};
