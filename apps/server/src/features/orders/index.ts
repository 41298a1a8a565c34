export { type Pay, type Return, describeOrder, registerOrderRoutes } from './order-routes.ts';
export { findOrder, listOrdersById, listOverdueOrderIds } from './order-store.ts';
export { closeOrder, refundInOrder, settleOrder } from './settle-order.ts';
