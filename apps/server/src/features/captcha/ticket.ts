import { randomBytes } from 'node:crypto';
import { AppError, type CaptchaPurpose } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import type { HttpCall } from '../../http/session.ts';
import { findBrowser } from '../../http/browser-cookie.ts';
import { hashSecret } from '../../hash-secret.ts';
import { claimTicket, insertTicket, releaseTicket } from './ticket-store.ts';

const TICKET_SECONDS = 300;

/** Gives the browser a ticket: usable once, for this purpose, for 5 minutes. The database keeps its hash. */
export async function issueCaptchaTicket(
  db: Db,
  { purpose, browserHash }: { purpose: CaptchaPurpose; browserHash: Buffer },
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = randomBytes(32).toString('base64url');
  const kept = { ticketHash: hashSecret(ticket), purpose, browserHash };
  return { ticket, expiresAt: await insertTicket(db, kept, TICKET_SECONDS) };
}

export type TicketUse = { ticket: string | undefined; purpose: CaptchaPurpose; req: HttpCall['req'] };

/**
 * Uses a ticket up. True once; false without a ticket, or when it is unknown, used, expired, for another purpose, or of
 * another browser. NOTE: a transaction that is rolled back afterwards gives the ticket back.
 */
export async function useCaptchaTicket(tx: Db, { ticket, purpose, req }: TicketUse): Promise<boolean> {
  const browserHash = findBrowser(req);
  if (ticket === undefined || !browserHash) return false;
  return await claimTicket(tx, { ticketHash: hashSecret(ticket), purpose, browserHash });
}

/**
 * Why a call is refused that needs a ticket: there was none, or it is not usable (any more), whatever the reason. After the
 * second a page shows another captcha to somebody who has just solved one.
 */
export function captchaRefusal({ ticket }: Pick<TicketUse, 'ticket'>): AppError {
  return new AppError(ticket === undefined ? 'captcha.required' : 'captcha.ticket-expired');
}

/** For whoever has just used it up and got nothing for it: it is as good as before, until it expires. */
export async function returnCaptchaTicket(db: Db, { ticket }: TicketUse): Promise<void> {
  if (ticket !== undefined) await releaseTicket(db, hashSecret(ticket));
}
