import type { PaymentDeps } from '../payment-deps.ts';
import type { NotificationRequest, PaymentNotification, PaymentProvider } from '../payment-provider.ts';
import { NotificationRefused, PaymentProviderError } from '../provider-error.ts';
import { recordRefund } from '../refunds/record-refund.ts';
import { settlePayment } from './settle-payment.ts';

/** Acts on a provider's notification. `isReceived` false asks the provider to send it again. */
export async function receiveNotification(
  deps: PaymentDeps,
  provider: PaymentProvider,
  request: NotificationRequest,
): Promise<{ isReceived: boolean }> {
  try {
    const notification = await provider.readNotification(request);
    if (notification) await act(deps, provider, notification);
    return { isReceived: true };
  } catch (err) {
    if (err instanceof NotificationRefused) {
      deps.log.warn({ provider: provider.id, code: err.code }, 'a notification of a payment was refused');
    } else if (err instanceof PaymentProviderError) {
      deps.log.warn({ err, provider: provider.id }, 'a notification of a payment could not be checked');
    } else {
      deps.log.error({ err, provider: provider.id }, 'a notification of a payment failed');
    }
    return { isReceived: false };
  }
}

async function act(deps: PaymentDeps, provider: PaymentProvider, notification: PaymentNotification): Promise<void> {
  if (notification.type === 'refund') {
    await recordRefund(deps, { number: notification.refundNumber, state: notification.state });
    return;
  }
  const { paymentNumber: number, transactionId, amountFen, paidAt } = notification;
  await settlePayment(deps, { provider: provider.id, number, transactionId, amountFen, paidAt });
}
