export { useCaptchaTicket } from './ticket.ts';
