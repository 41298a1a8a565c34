export { registerAdoptionRoutes } from './adoption-routes.ts';
