export { registerServerRoutes } from './server-routes.ts';
