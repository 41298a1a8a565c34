export { registerAnnouncementRoutes } from './announcement-routes.ts';
export { addAnnouncement, publishDue } from './publish.ts';
