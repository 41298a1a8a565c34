import type { Db } from '../../../db/driver.ts';
import { newNumber } from '../../plans/index.ts';
import { addToRefunded } from '../paying/payment-store.ts';
import { insertRefund } from './refund-store.ts';

/**
 * Inserts a refund, which a job then sends. The payment's `refunded_fen` grows in the same transaction, so that the database
 * refuses refunds whose sum is larger than the payment.
 */
export async function requestRefund(
  tx: Db,
  refund: { paymentId: number; amountFen: number; reason: string; madeBy: string },
): Promise<number> {
  await addToRefunded(tx, refund.paymentId, refund.amountFen);
  return await insertRefund(tx, { ...refund, number: newNumber('R', new Date()) });
}

/** Returns a whole payment that pays nothing. The caller has entered it in the ledger as money to return. */
export async function insertReturn(
  tx: Db,
  refund: { paymentId: number; amountFen: number; reason: string },
): Promise<void> {
  await requestRefund(tx, { ...refund, madeBy: '' });
}
