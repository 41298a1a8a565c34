export { RefusalRecorder, type Refusal } from './refusal-recorder.ts';
export { registerRefusedVisitRoutes } from './refused-visit-routes.ts';
export { deleteOldRefusedVisits } from './refused-visit-store.ts';
