export { createMailer, type MailConfig } from './create-mailer.ts';
export type { Mailer } from './mailer.ts';
