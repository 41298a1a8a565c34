export { type Pay, type Return, describeOrder, registerOrderRoutes } from './order-routes.ts';
export { findOrder, listOrdersById, listOverdueOrderIds } from './order-store.ts';
export { closeOrder, closeOrdersOfUser, refundInOrder, settleOrder } from './settle-order.ts';
