export { registerManageJobRoutes } from './manage-job-routes.ts';
