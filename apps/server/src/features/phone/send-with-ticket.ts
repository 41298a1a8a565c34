import { AppError, type ErrorCode } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { captchaRefusal, returnCaptchaTicket, type TicketUse, useCaptchaTicket } from '../captcha/index.ts';

const limits: readonly ErrorCode[] = ['code.too-often', 'code.daily-limit', 'sms.used-up'];

/**
 * Sends a code in exchange for a captcha ticket. If a limit refuses the code, the ticket stays valid, so that the client
 * needs no second captcha. Of several calls at once with one ticket, one sends. Throws `captcha.required`,
 * `captcha.ticket-expired`, and what `send` throws.
 */
export async function sendWithTicket<Sent>(db: Db, use: TicketUse, send: () => Promise<Sent>): Promise<Sent> {
  // Used before the limits are counted: a client without a ticket must not use up the daily codes of a number.
  if (!(await useCaptchaTicket(db, use))) throw captchaRefusal(use);
  try {
    return await send();
  } catch (error) {
    if (error instanceof AppError && limits.includes(error.code)) await returnCaptchaTicket(db, use);
    throw error;
  }
}
