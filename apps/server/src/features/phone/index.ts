export { sendForTicket } from './send-for-ticket.ts';
export { registerPhoneRoutes } from './phone-routes.ts';
