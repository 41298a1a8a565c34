export { registerPlayerRoutes } from './player-routes.ts';
