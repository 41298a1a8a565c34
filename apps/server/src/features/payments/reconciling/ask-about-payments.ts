import { listOverdueOrderIds } from '../../orders/index.ts';
import { askProvider, closeAtProvider, closeUnpaidOrder } from '../paying/close-payments.ts';
import type { PaymentDeps } from '../payment-deps.ts';
import { PaymentProviderError } from '../provider-error.ts';
import { claimDuePayments, type DuePayment } from './due-store.ts';

/** Questions to providers at one time. */
const MAX_AT_ONCE = 4;
/** Orders that one run closes. */
const MAX_CLOSED = 200;

/** Asks the providers about waiting payments, for notifications that did not come. Closes those of ended orders. */
export async function askAboutPayments(deps: PaymentDeps): Promise<void> {
  const due = await claimDuePayments(deps.db, [...deps.providers.keys()]);
  const ask = async (): Promise<void> => {
    for (let payment = due.shift(); payment; payment = due.shift()) await askAbout(deps, payment);
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, ask));
}

async function askAbout(deps: PaymentDeps, payment: DuePayment): Promise<void> {
  const provider = deps.providers.get(payment.provider);
  if (!provider) return; // only payments of known providers are claimed
  try {
    const state = await askProvider(deps, provider, payment);
    const mayEnd = payment.status === 'waiting' && payment.orderStatus !== 'open';
    if (state === 'waiting' && mayEnd) await closeAtProvider(deps, provider, payment);
  } catch (err) {
    const line = { err, payment: payment.number };
    // Whatever is wrong with one payment, the others are asked about.
    if (err instanceof PaymentProviderError) deps.log.warn(line, 'a payment could not be asked about');
    else deps.log.error(line, 'asking about a payment failed');
  }
}

/** Closes unpaid orders whose time is over, after a last question about their payments. */
export async function closeOverdueOrders(deps: PaymentDeps): Promise<void> {
  for (const orderId of await listOverdueOrderIds(deps.db, MAX_CLOSED)) {
    try {
      await closeUnpaidOrder(deps, orderId);
    } catch (err) {
      deps.log.error({ err, orderId }, 'closing an order failed'); // the others are closed
    }
  }
}
