export { storeVisits } from './store-visits.ts';
export { registerVisitRoutes } from './visit-routes.ts';
export { deleteOldVisits } from './visit-store.ts';
