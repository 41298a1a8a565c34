import type { PaymentDeps } from '../payment-deps.ts';
import { PaymentProviderError } from '../provider-error.ts';
import { recordRefund } from './record-refund.ts';
import { claimDueRefunds, type RefundRow, setRefundProblem, setRefundStatus } from './refund-store.ts';

/** Sends the refunds that are due, and asks about those that a provider has not done yet. */
export async function sendRefunds(deps: PaymentDeps): Promise<void> {
  for (const refund of await claimDueRefunds(deps.db, [...deps.providers.keys()])) {
    try {
      await sendRefund(deps, refund);
    } catch (err) {
      if (err instanceof PaymentProviderError) await recordError(deps, refund, err);
      else deps.log.error({ err, refund: refund.number }, 'sending a refund failed'); // the others are sent
    }
  }
}

async function sendRefund(deps: PaymentDeps, refund: RefundRow): Promise<void> {
  const provider = deps.providers.get(refund.provider);
  if (!provider) return; // only refunds of known providers are claimed
  const { id, number, paymentNumber, amountFen, paidFen, reason } = refund;
  if (refund.status === 'pending') {
    const state = await provider.findRefund({ number, paymentNumber });
    if (state === 'absent') await setRefundStatus(deps.db, id, { status: 'requested', problem: null });
    else await recordRefund(deps, { number, state });
    return;
  }
  const totalFen = paidFen ?? amountFen;
  const state = await provider.refund({ number, paymentNumber, amountFen, totalFen, reason });
  await recordRefund(deps, { number, state });
}

/** After `unavailable` nobody knows whether the provider has acted. The same number is tried again, which is safe. */
async function recordError({ db, log }: PaymentDeps, refund: RefundRow, err: PaymentProviderError): Promise<void> {
  log.warn({ err, refund: refund.number }, 'a refund could not be sent');
  if (err.code === 'unavailable' || refund.status === 'pending') await setRefundProblem(db, refund.id, err.message);
  else await setRefundStatus(db, refund.id, { status: 'failed', problem: err.message });
}
