import type { DevelopmentCodes } from '../development/index.ts';
import type { Mailer } from './mailer.ts';
import { createSmtpMailer, type SmtpSettings } from './smtp-mailer.ts';

/** `development`: codes go to the log and the development page. */
export type MailConfig = ({ provider: 'smtp' } & SmtpSettings) | { provider: 'development' };

export function createMailer(config: MailConfig, development: DevelopmentCodes): Mailer {
  switch (config.provider) {
    case 'smtp':
      return createSmtpMailer(config);
    case 'development':
      return {
        send: async ({ to, subject, code = '' }) =>
          development.add({ channel: 'mail', address: to, purpose: subject, code }),
      };
  }
}
