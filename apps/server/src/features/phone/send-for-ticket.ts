import { AppError, type ErrorCode } from '@tongtu/contract';
import type { Db } from '../../db/driver.ts';
import { captchaRefusal, returnCaptchaTicket, type TicketUse, useCaptchaTicket } from '../captcha/index.ts';

const limits: readonly ErrorCode[] = ['code.too-often', 'code.daily-limit', 'sms.used-up'];

/**
 * Sends for a captcha's ticket, which a limit leaves as good as it was: whoever is refused waits, and needs no second
 * captcha. Throws `captcha.required`, `captcha.ticket-expired`, and what `send` throws. Of several at once with one ticket
 * one may send.
 */
export async function sendForTicket<Sent>(db: Db, use: TicketUse, send: () => Promise<Sent>): Promise<Sent> {
  // Claimed before the limits are counted, or who has no ticket could use up a stranger's codes of the day.
  if (!(await useCaptchaTicket(db, use))) throw captchaRefusal(use);
  try {
    return await send();
  } catch (error) {
    if (error instanceof AppError && limits.includes(error.code)) await returnCaptchaTicket(db, use);
    throw error;
  }
}
