export { registerLoginRoutes, type LoginRoutesDeps } from './login-routes.ts';
