export { registerAccountRoutes } from './account-routes.ts';
export { lockStayingAdmins } from './account-store.ts';
export { deleteDueAccounts } from './delete-account.ts';
