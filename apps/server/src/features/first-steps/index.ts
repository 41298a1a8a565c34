export { registerFirstStepsRoutes } from './first-steps-routes.ts';
export { hasAdministratorLoggedIn } from './first-steps-store.ts';
