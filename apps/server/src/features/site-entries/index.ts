export { registerSiteEntryRoutes } from './site-entry-routes.ts';
