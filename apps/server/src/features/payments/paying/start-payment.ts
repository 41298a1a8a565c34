import { AppError } from '@tongtu/contract';
import type { Db } from '../../../db/driver.ts';
import { newNumber } from '../../plans/index.ts';
import type { PaymentDeps } from '../payment-deps.ts';
import type { PaymentProvider, PaymentProviderId } from '../payment-provider.ts';
import { PaymentProviderError } from '../provider-error.ts';
import { closeAtProvider } from './close-payments.ts';
import * as store from './payment-store.ts';

/** How to pay: the QR code, and until when it works. */
export type StartedPayment = { provider: PaymentProviderId; qrText: string; expiresAt: Date };

type Planned = { order: store.PayableOrder; payment: store.PaymentRow };

/**
 * Returns the code by which an open order is paid. An order has one waiting payment at each provider, and its code is shown
 * again while it works. The payment's row is stored before the provider is asked, so no payment can arrive that is not
 * known here. Throws order.not-found, order.not-open, payment.provider-unknown, payment.unavailable.
 */
export async function startPayment(
  deps: PaymentDeps,
  wanted: { orderId: number; provider: PaymentProviderId },
): Promise<StartedPayment> {
  const provider = deps.providers.get(wanted.provider);
  if (!provider) throw new AppError('payment.provider-unknown');
  const planned = await planPayment(deps.db, wanted);
  const { qrText, qrExpiresAt, hasFreshQr } = planned.payment;
  if (hasFreshQr && qrText !== null && qrExpiresAt !== null)
    return { provider: provider.id, qrText, expiresAt: qrExpiresAt };
  try {
    return await createAtProvider(deps, provider, planned);
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error;
    return await startAnother(deps, provider, { wanted, planned, error });
  }
}

async function planPayment(db: Db, { orderId, provider }: { orderId: number; provider: PaymentProviderId }) {
  return await db.transaction().execute(async (tx): Promise<Planned> => {
    const order = await store.lockOrder(tx, orderId);
    if (!order) throw new AppError('order.not-found');
    if (!order.isPayable || order.amountFen === 0) throw new AppError('order.not-open');
    const waiting = await store.findWaiting(tx, { orderId, provider });
    if (waiting) {
      await store.markChosen(tx, waiting.id);
      return { order, payment: waiting };
    }
    const row = { orderId, provider, amountFen: order.amountFen, expiresAt: order.closesAt };
    const id = await store.insertPayment(tx, { ...row, number: newNumber('P', new Date()) });
    return { order, payment: await store.lockPayment(tx, id) };
  });
}

async function createAtProvider(
  deps: PaymentDeps,
  provider: PaymentProvider,
  { order, payment }: Planned,
): Promise<StartedPayment> {
  const { number, amountFen, expiresAt } = payment;
  const subject = `通途 ${order.productName}`;
  const qr = await provider.create({ number, amountFen, subject, expiresAt });
  if (!(await store.setQr(deps.db, payment.id, qr))) {
    // The order has ended meanwhile. Nobody has seen the code, and the provider need not keep it.
    await closeAtProvider(deps, provider, payment);
    throw new AppError('order.not-open');
  }
  return { provider: provider.id, qrText: qr.qrText, expiresAt: qr.qrExpiresAt };
}

/** A payment that the buyer has closed in the wallet is replaced by another one. One that is paid settles the order. */
async function startAnother(
  deps: PaymentDeps,
  provider: PaymentProvider,
  failed: { wanted: { orderId: number; provider: PaymentProviderId }; planned: Planned; error: PaymentProviderError },
): Promise<StartedPayment> {
  const { wanted, planned, error } = failed;
  const { id: paymentId, number: payment } = planned.payment;
  if (error.code !== 'closed' && error.code !== 'already-paid') {
    deps.log.warn({ err: error, payment }, 'a payment could not be created');
    throw new AppError('payment.unavailable', { cause: error });
  }
  try {
    await closeAtProvider(deps, provider, planned.payment);
    await store.markClosed(deps.db, paymentId);
    return await createAtProvider(deps, provider, await planPayment(deps.db, wanted));
  } catch (again) {
    if (!(again instanceof PaymentProviderError)) throw again;
    deps.log.warn({ err: again, payment }, 'a payment could not be created');
    throw new AppError('payment.unavailable', { cause: again });
  }
}
