export { registerAlertRoutes } from './alert-routes.ts';
export type { AllowedAddresses } from './public-address.ts';
