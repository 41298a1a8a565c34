import { AppError } from '@tongtu/contract';
import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.ts';

export type SmtpSettings = {
  /** `smtps://user:password@host:465`, or `smtp://…` (STARTTLS where the server offers it). */
  url: string;
  /** The sender: an address, or `名称 <address>`. */
  from: string;
  /** How long the server may say nothing. */
  timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;

/** Hands mails to the operator's mail server, one connection each. */
export function createSmtpMailer({ url, from, timeoutMs = TIMEOUT_MS }: SmtpSettings): Mailer {
  const transport = createTransport(
    {
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Or whoever stands between could keep STARTTLS back and read the password. The address may say ?requireTLS=false.
      requireTLS: sendsPasswordAway(new URL(url)),
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

function sendsPasswordAway({ username, hostname }: URL): boolean {
  return username !== '' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
