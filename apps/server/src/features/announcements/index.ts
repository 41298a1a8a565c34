export { registerAnnouncementRoutes } from './announcement-routes.ts';
export { findNewestNumber } from './announcement-store.ts';
export { addAnnouncement, publishDue } from './publish.ts';
