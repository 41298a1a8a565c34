export { registerGateRoutes } from './gate-routes.ts';
export { deleteOldTickets } from './ticket-store.ts';
export { redeemTicket, type Redemption, type Verification } from './redeem-ticket.ts';
