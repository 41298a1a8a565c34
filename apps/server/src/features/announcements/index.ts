export { registerAnnouncementRoutes } from './announcement-routes.ts';
export { insertAnnouncement } from './announcement-store.ts';
