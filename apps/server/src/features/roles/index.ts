export { makeSuperuser } from './make-superuser.ts';
export { registerRoleRoutes } from './role-routes.ts';
