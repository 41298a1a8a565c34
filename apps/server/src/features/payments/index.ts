export { closePayments } from './paying/close-payments.ts';
export { type ListedPayment, listPayments, listWaitingPayments } from './paying/list-payments.ts';
export { registerPaymentRoutes } from './paying/payment-routes.ts';
export { startPayment } from './paying/start-payment.ts';
export type { PaymentDeps } from './payment-deps.ts';
export { paymentJobs } from './reconciling/payment-jobs.ts';
export { refundOrder } from './refunds/refund-order.ts';
