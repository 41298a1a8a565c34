export { enableForOperator } from './change-account.ts';
export { managedUserReply } from './managed-user-reply.ts';
export { findManagedUser } from './managed-user-store.ts';
export { registerManageUserRoutes } from './manage-user-routes.ts';
