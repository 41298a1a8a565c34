export { registerLoginRoutes } from './login-routes.ts';
