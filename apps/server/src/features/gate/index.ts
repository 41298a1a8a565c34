export { registerGateRoutes } from './gate-routes.ts';
export { deleteOldGuesses } from './password-failure-store.ts';
export { deleteOldTickets } from './ticket-store.ts';
export { redeemTicket, type Redemption, type Verification } from './redeem-ticket.ts';
