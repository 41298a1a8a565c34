export { forgetFailures, mayTry } from './captcha-need.ts';
export { registerCaptchaRoutes } from './captcha-routes.ts';
export { deleteOldCaptchas } from './delete-old.ts';
export { issueCaptchaTicket, useCaptchaTicket } from './ticket.ts';
