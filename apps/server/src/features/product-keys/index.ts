export { productKeyJobs } from './expire-keys.ts';
export { deliverKeys, makeRewardKey } from './make-keys.ts';
export { voidKeysOfOrder } from './mark-keys.ts';
export { registerProductKeyRoutes } from './product-key-routes.ts';
