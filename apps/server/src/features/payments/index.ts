export { createPaymentProviders, type PaymentProviderDeps } from './create-payment-providers.ts';
export type { PaymentConfig } from './payment-config.ts';
export type {
  BillLine,
  NewPayment,
  NewRefund,
  NotificationReply,
  NotificationRequest,
  PaymentNotification,
  PaymentProvider,
  PaymentProviderId,
  PaymentQr,
  ProviderPayment,
  RefundState,
} from './payment-provider.ts';
export {
  NotificationRefused,
  type NotificationRefusal,
  PaymentProviderError,
  type ProviderErrorCode,
} from './provider-error.ts';
export { readPrivateKey, readPublicKey } from './read-key.ts';
