export { scheduleDeletionNow } from './account-store.ts';
export { registerAccountRoutes } from './account-routes.ts';
export { deleteDueAccounts } from './delete-account.ts';
export { isLastAdmin } from './is-last-admin.ts';
