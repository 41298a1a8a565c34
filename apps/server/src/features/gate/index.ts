export { registerGateRoutes } from './gate-routes.ts';
export { redeemTicket, type Redemption, type Verification } from './redeem-ticket.ts';
export { registerVerificationRoutes } from './verification-routes.ts';
export { deleteOldVerifications } from './verification-store.ts';
