export { findKeyState, useEnrolmentKey } from './enrolment-key.ts';
export { registerEnrolmentKeyRoutes } from './enrolment-key-routes.ts';
export { deleteAllEnrolmentKeys, deleteOldEnrolmentKeys } from './enrolment-key-store.ts';
