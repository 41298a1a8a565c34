export {
  assertMayRegister,
  assertOwnersMayInvite,
  readRegistration,
  type RegistrationMethods,
} from './registration.ts';
export { registerRegistrationRoutes } from './registration-routes.ts';
