export { findApiCaller } from './api-token.ts';
export { registerApiTokenRoutes } from './api-token-routes.ts';
