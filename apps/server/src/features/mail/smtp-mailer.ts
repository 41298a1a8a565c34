import { AppError } from '@tongtu/contract';
import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.ts';

export type SmtpSettings = {
  /** `smtps://user:password@host:465`, or `smtp://…` (STARTTLS where the server offers it). */
  url: string;
  /** The sender: an address, or `名称 <address>`. */
  from: string;
};

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 15_000;

/** Hands mails to the operator's mail server, one connection each. */
export function createSmtpMailer({ url, from }: SmtpSettings): Mailer {
  const transport = createTransport(
    {
      url,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
    },
    { from },
  );
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({ to: { name: '', address: to }, subject, text });
      } catch (cause) {
        throw new AppError('mail.unavailable', { cause });
      }
    },
  };
}
