export { registerProductRoutes, termsReply } from './product-routes.ts';
export { findBulkProduct, findProduct, listProducts, type ProductRow } from './product-store.ts';
export { ensureStarterCatalogue } from './starter-catalogue.ts';
