import type { Db } from '../../../db/driver.ts';
import { closeOrder } from '../../orders/index.ts';
import type { PaymentDeps } from '../payment-deps.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import { PaymentProviderError } from '../provider-error.ts';
import { listWaiting, lockOrder, markClosed, type PaymentRow } from './payment-store.ts';
import { settlePayment } from './settle-payment.ts';

/** A payment can start while the others are being closed. More than this often within one call is a bug. */
const MAX_ROUNDS = 5;

/**
 * Asks about the order's waiting payments and closes them at their providers. One that was paid settles the order. False
 * when a provider does not answer: then its payment goes on waiting, is asked about, and is returned if it arrives too late.
 */
export async function closePayments(deps: PaymentDeps, orderId: number): Promise<boolean> {
  let areClosed = true;
  for (const payment of await listWaiting(deps.db, orderId)) {
    const provider = deps.providers.get(payment.provider);
    if (!provider || !(await tryToEnd(deps, provider, payment))) areClosed = false;
  }
  return areClosed;
}

async function tryToEnd(deps: PaymentDeps, provider: PaymentProvider, payment: PaymentRow): Promise<boolean> {
  try {
    if ((await askProvider(deps, provider, payment)) === 'waiting') await closeAtProvider(deps, provider, payment);
    return true;
  } catch (err) {
    if (!(err instanceof PaymentProviderError)) throw err;
    deps.log.warn({ err, payment: payment.number }, 'a payment could not be closed');
    return false;
  }
}

/** Asks the provider and records what has ended. `waiting`: the payment can still be paid. Throws PaymentProviderError. */
export async function askProvider(
  deps: PaymentDeps,
  provider: PaymentProvider,
  payment: PaymentRow,
): Promise<'waiting' | 'ended'> {
  const found = await provider.find(payment.number);
  if (found.state === 'paid') {
    await settlePayment(deps, { ...found, provider: provider.id, number: payment.number });
    return 'ended';
  }
  if (found.state !== 'closed') return 'waiting';
  await markClosed(deps.db, payment.id);
  return 'ended';
}

/** Throws PaymentProviderError. A payment that is paid already settles its order, or is returned. */
export async function closeAtProvider(
  deps: PaymentDeps,
  provider: PaymentProvider,
  payment: PaymentRow,
): Promise<void> {
  try {
    await provider.close(payment.number);
  } catch (error) {
    if (!(error instanceof PaymentProviderError) || error.code !== 'already-paid') throw error;
    await askProvider(deps, provider, payment);
    return;
  }
  await markClosed(deps.db, payment.id);
}

/**
 * Closes an open order after its payments. `not-open`: it was paid, or closed by somebody else. `later`: a provider does
 * not answer. After an hour the order closes nevertheless; what is paid for it then goes back.
 */
export async function closeUnpaidOrder(deps: PaymentDeps, orderId: number): Promise<'closed' | 'not-open' | 'later'> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const areClosed = await closePayments(deps, orderId);
    const outcome = await deps.db.transaction().execute(async (tx) => await closeLocked(tx, orderId, areClosed));
    if (outcome !== 'again') return outcome;
  }
  return 'later';
}

async function closeLocked(
  tx: Db,
  orderId: number,
  areClosed: boolean,
): Promise<'closed' | 'not-open' | 'later' | 'again'> {
  const order = await lockOrder(tx, orderId);
  if (order?.status !== 'open') return 'not-open';
  if (!areClosed && !order.isLongOverdue) return 'later';
  if (areClosed && (await listWaiting(tx, orderId)).length > 0) return 'again';
  await closeOrder(tx, orderId);
  return 'closed';
}
