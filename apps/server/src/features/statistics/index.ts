export { registerStatisticsRoutes } from './statistics-routes.ts';
