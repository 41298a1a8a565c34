export type { CheckUrlDeps } from './check-url.ts';
export { registerGateRoutes } from './gate-routes.ts';
export { redeemTicket, type Redemption, type Verification } from './redeem-ticket.ts';
