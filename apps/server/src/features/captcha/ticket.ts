import { randomBytes } from 'node:crypto';
import { AppError, type CaptchaPurpose } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { HttpCall } from '../../http/session.ts';
import { findBrowser } from '../../http/browser/browser-cookie.ts';
import { hashSecret } from '../../hash-secret.ts';
import { claimTicket, insertTicket, releaseTicket } from './ticket-store.ts';

const TICKET_SECONDS = 300;

/** Issues a ticket to the browser: usable once, for this purpose, for 5 minutes. The database stores its hash. */
export async function issueCaptchaTicket(
  db: Db,
  { purpose, browserHash }: { purpose: CaptchaPurpose; browserHash: Buffer },
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = randomBytes(32).toString('base64url');
  const stored = { ticketHash: hashSecret(ticket), purpose, browserHash };
  return { ticket, expiresAt: await insertTicket(db, stored, TICKET_SECONDS) };
}

export type TicketUse = { ticket: string | undefined; purpose: CaptchaPurpose; req: HttpCall['req'] };

/**
 * Uses a ticket. False without a ticket, or when it is unknown, used, expired, for another purpose or another browser's.
 * NOTE: a rollback of the transaction makes the ticket usable again.
 */
export async function useCaptchaTicket(tx: Db, { ticket, purpose, req }: TicketUse): Promise<boolean> {
  const browserHash = findBrowser(req);
  if (ticket === undefined || !browserHash) return false;
  return await claimTicket(tx, { ticketHash: hashSecret(ticket), purpose, browserHash });
}

/**
 * The error of a call that lacks a valid ticket: `captcha.required` without a ticket, otherwise `captcha.ticket-expired`,
 * after which the console shows another captcha.
 */
export function captchaRefusal({ ticket }: Pick<TicketUse, 'ticket'>): AppError {
  return new AppError(ticket === undefined ? 'captcha.required' : 'captcha.ticket-expired');
}

/** Makes a used ticket usable again until it expires, for a call that used it and then failed. */
export async function returnCaptchaTicket(db: Db, { ticket }: TicketUse): Promise<void> {
  if (ticket !== undefined) await releaseTicket(db, hashSecret(ticket));
}
