export { ExpectedAnswer } from './captcha-answer.ts';
export { forgetFailures, mayTry } from './captcha-need.ts';
export { registerCaptchaRoutes } from './captcha-routes.ts';
export { deleteOldCaptchas } from './delete-old.ts';
export {
  captchaRefusal,
  giveCaptchaTicketBack,
  issueCaptchaTicket,
  type TicketUse,
  useCaptchaTicket,
} from './ticket.ts';
