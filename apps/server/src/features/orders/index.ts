export { type OrderPayments, type Pay, describeOrder, registerOrderRoutes } from './order-routes.ts';
export { findOrder, listOrdersById, listOverdueOrderIds, type OrderRow } from './order-store.ts';
export { closeOrder, type OrderDeps, refundInOrder, settleOrder } from './settle-order.ts';
