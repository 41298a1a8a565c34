export { ExpectedAnswer } from './captcha-answer.ts';
export { allowAttempt, allowLockedAttempt, countFailure, resetFailures, resetTarget } from './captcha-need.ts';
export { registerCaptchaRoutes } from './captcha-routes.ts';
export { deleteOldCaptchas } from './challenge.ts';
export { captchaRefusal, returnCaptchaTicket, issueCaptchaTicket, type TicketUse, useCaptchaTicket } from './ticket.ts';
