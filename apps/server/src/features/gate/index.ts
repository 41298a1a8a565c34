export { registerGateRoutes } from './gate-routes.ts';
export { deleteOldVerifications } from './gate-store.ts';
export { redeemTicket, type Redemption, type Verification } from './redeem-ticket.ts';
