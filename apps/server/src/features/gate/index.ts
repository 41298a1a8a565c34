export { registerGateRoutes } from './gate-routes.ts';
export { redeemTicket, type Redemption, type Verification } from './redeem-ticket.ts';
