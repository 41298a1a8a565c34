export { createPaymentProviders } from './create-payment-providers.ts';
export { closePayments } from './paying/close-payments.ts';
export { type ListedPayment, listPayments, listReturns, listWaitingPayments } from './paying/list-payments.ts';
export { registerPaymentRoutes } from './paying/payment-routes.ts';
export { startPayment } from './paying/start-payment.ts';
export type { PaymentConfig } from './payment-config.ts';
export type { PaymentDeps } from './payment-deps.ts';
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
export { NotificationRefused, PaymentProviderError } from './provider-error.ts';
export { readPrivateKey, readPublicKey } from './read-key.ts';
export { paymentJobs } from './reconciling/payment-jobs.ts';
export { refundOrder } from './refunds/refund-order.ts';
