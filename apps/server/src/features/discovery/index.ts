export { recognizeService } from './recognition/recognize.ts';
export { deleteOldLanHosts } from './lan-host-store.ts';
export { registerLanRoutes } from './lan-routes.ts';
export { LanScans } from './lan-scans.ts';
