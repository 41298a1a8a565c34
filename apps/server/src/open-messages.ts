import type { Logger } from 'pino';
import { DevelopmentCodes } from './features/development/index.ts';
import { createMailer, type Mailer } from './features/mail/index.ts';
import { createSmsSender, type SmsSender } from './features/sms/index.ts';
import type { MessageConfig } from './message-config.ts';

export type Messages = {
  sms: SmsSender | undefined;
  mailer: Mailer | undefined;
  /** Where the codes are that nothing sends; undefined when there are none. */
  development: DevelopmentCodes | undefined;
};

/** The ways that codes take from this server. */
export function openMessages({ sms, mail }: MessageConfig, log: Logger): Messages {
  const codes = new DevelopmentCodes(log);
  const isDeveloped = sms?.provider === 'development' || mail?.provider === 'development';
  return {
    sms: sms && createSmsSender(sms, codes),
    mailer: mail && createMailer(mail, codes),
    development: isDeveloped ? codes : undefined,
  };
}
