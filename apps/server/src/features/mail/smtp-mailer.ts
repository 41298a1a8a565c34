import { AppError } from '@tongtu/contract';
import type { Mailer } from './mailer.ts';

export type SmtpSettings = {
  /** `smtps://user:password@host:465`, or `smtp://…` (STARTTLS where the server offers it). */
  url: string;
  /** The sender: an address, or `名称 <address>`. */
  from: string;
  /** Timeout of each wait for the server. */
  timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;

/** Sends mails by the operator's mail server, with one connection for each mail. */
export function createSmtpMailer({ url, from, timeoutMs = TIMEOUT_MS }: SmtpSettings): Mailer {
  const options = {
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Otherwise an attacker on the path could strip STARTTLS and read the password.
    // The URL can switch this off with ?requireTLS=false.
    requireTLS: sendsPasswordOverNetwork(new URL(url)),
  };
  return {
    async send({ to, subject, text }) {
      try {
        // Loaded on demand: many installations have no mail server, and the library takes a tenth of a second.
        const { createTransport } = await import('nodemailer');
        await createTransport(options, { from }).sendMail({ to: { name: '', address: to }, subject, text });
      } catch (cause) {
        throw new AppError('mail.unavailable', { cause });
      }
    },
  };
}

function sendsPasswordOverNetwork({ username, hostname }: URL): boolean {
  return username !== '' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
