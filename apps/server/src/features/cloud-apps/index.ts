export { unlinkOffersTo } from './app-offer-store.ts';
export { registerCloudAppRoutes } from './cloud-app-routes.ts';
export { listAppRoutes } from './cloud-app-store.ts';
export { connectGateway, type GatewayLink } from './gateway/connect-gateway.ts';
export { deleteOldAppSessions } from './sessions/app-session-store.ts';
export { endAbandonedSessions } from './sessions/end-app-sessions.ts';
export { wakeScheduled } from './waking/wake-scheduled.ts';
export { deleteOldWakes } from './waking/wake-store.ts';
