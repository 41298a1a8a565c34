export { createPaymentProviders } from './create-payment-providers.ts';
export type { PaymentConfig } from './payment-config.ts';
export type {
  NewPayment,
  NotificationReply,
  NotificationRequest,
  PaymentNotification,
  PaymentProvider,
  PaymentProviderId,
  ProviderPayment,
  RefundState,
} from './payment-provider.ts';
export { NotificationRefused, PaymentProviderError } from './provider-error.ts';
export { readPrivateKey, readPublicKey } from './read-key.ts';
