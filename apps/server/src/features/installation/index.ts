export { doFirstStart } from './first-start.ts';
export { findFirstAdminId, moveOnlyServer } from './installation-store.ts';
