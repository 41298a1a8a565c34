import { recordAuditEntry } from '../../audit/index.ts';
import { moveInLedger } from '../../ledger/index.ts';
import { newNumber } from '../../plans/index.ts';
import { lockOrder } from '../paying/payment-store.ts';
import type { PaymentDeps } from '../payment-deps.ts';
import type { RefundState } from '../payment-provider.ts';
import * as store from './refund-store.ts';

/** Why the provider ended a refund is for the operator to see in its console. */
const FAILED = '支付平台未能退款，稍后以新的退款单重试';

/** Records what a provider says of a refund, however often. A number that is not known any more changes nothing. */
export async function recordRefund(
  { db, log }: Pick<PaymentDeps, 'db' | 'log'>,
  { number, state }: { number: string; state: RefundState },
): Promise<void> {
  const known = await store.findRefund(db, number);
  if (!known) {
    log.warn({ refund: number, state }, 'a refund was reported that is not known here');
    return;
  }
  await db.transaction().execute(async (tx) => {
    const { orderId, provider, amountFen } = known;
    await lockOrder(tx, orderId);
    const refund = await store.lockRefund(tx, number);
    if (!refund || refund.status === 'done') return;
    if (state === 'pending') {
      await store.setRefundStatus(tx, refund.id, { status: 'pending', problem: null });
      return;
    }
    if (state === 'failed') {
      // No money has moved, and the provider refuses this number from now on.
      const next = newNumber('R', new Date());
      await store.setRefundStatus(tx, refund.id, { status: 'failed', problem: FAILED, number: next });
      await recordAuditEntry(tx, 'service', {
        action: 'refund.failed',
        object: { type: 'order', id: orderId, name: known.paymentNumber },
        before: { refund: number },
        after: { refund: next, amount_fen: amountFen },
      });
      return;
    }
    await store.setRefundDone(tx, refund.id);
    const entry = { reference: `refund:${refund.id}`, orderId, amountFen };
    await moveInLedger(tx, { ...entry, from: provider, to: 'to-return' });
  });
}
