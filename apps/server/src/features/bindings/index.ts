export { registerBindingRoutes } from './binding-routes.ts';
export { deleteExpiredBindings } from './binding-store.ts';
export { useBinding } from './use-binding.ts';
