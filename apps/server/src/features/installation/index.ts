export { doFirstStart } from './first-start.ts';
export { isKeyOfDatabase } from './key-check.ts';
export { findFirstAdminId, handOverFirstAdmin, updateOnlyServerSuffix } from './installation-store.ts';
