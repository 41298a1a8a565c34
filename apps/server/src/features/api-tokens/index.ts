export { deleteAllApiTokens } from './api-token-store.ts';
export { findApiCaller } from './api-token.ts';
export { registerApiTokenRoutes } from './api-token-routes.ts';
