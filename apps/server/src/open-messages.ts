import type { Logger } from 'pino';
import { DevelopmentCodes } from './features/development/index.ts';
import { createMailer, type Mailer } from './features/mail/index.ts';
import { createSmsSender, type SmsSender } from './features/sms/index.ts';
import type { MessageConfig } from './message-config.ts';

export type Messages = {
  sms: SmsSender | undefined;
  mailer: Mailer | undefined;
  /** Holds codes that are shown at /dev/codes in place of being sent; undefined if all are sent. */
  development: DevelopmentCodes | undefined;
};

/** Opens the senders of SMS and mail. */
export function openMessages({ sms, mail }: MessageConfig, log: Logger): Messages {
  const codes = new DevelopmentCodes(log);
  const isDevelopment = sms?.provider === 'development' || mail?.provider === 'development';
  return {
    sms: sms && createSmsSender(sms, codes),
    mailer: mail && createMailer(mail, codes),
    development: isDevelopment ? codes : undefined,
  };
}
