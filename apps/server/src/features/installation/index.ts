export { doFirstStart, type FirstStart, type FirstStartInput } from './first-start.ts';
export { findFirstAdminId, moveOnlyServer } from './installation-store.ts';
