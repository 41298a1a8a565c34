export { DevelopmentCodes } from './development-codes.ts';
export { registerDevelopmentRoutes } from './development-routes.ts';
