export { sendWithTicket } from './send-with-ticket.ts';
export { registerPhoneRoutes } from './phone-routes.ts';
