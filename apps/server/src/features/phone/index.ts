export { registerPhoneRoutes } from './phone-routes.ts';
