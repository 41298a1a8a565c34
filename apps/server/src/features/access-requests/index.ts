export { registerAccessRequestRoutes } from './access-request-routes.ts';
export { deleteOldAccessRequests, findRequestState } from './access-request-store.ts';
