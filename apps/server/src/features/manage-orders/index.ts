export { registerManageOrderRoutes } from './manage-order-routes.ts';
