import type { CaptchaPurpose } from '@tongtu/contract';
import { createContext, use, useMemo } from 'react';
import { errorCode } from '../../api/index.ts';
import { captchaDialogText } from '../../text/captcha.ts';

/**
 * Shows a captcha, with a word beside it where one is given; the answer is its ticket, or undefined when the person
 * closed it. Throws ApiError when it cannot be shown.
 */
export type Ask = (purpose: CaptchaPurpose, notice?: string) => Promise<string | undefined>;

export const AskContext = createContext<Ask>(() => Promise.reject(new Error('no CaptchaProvider')));

/** Whether a call with a ticket was refused for the ticket: it has aged away, or was used. */
export function isTicketSpent(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'captcha.ticket-expired' || code === 'captcha.required';
}

/** How a part of the page gets the ticket that a call requires. */
export function useCaptcha(purpose: CaptchaPurpose) {
  const ask = use(AskContext);
  return useMemo(() => {
    const solveAgain = () => ask(purpose, captchaDialogText.ticketSpent);
    return {
      /** Opens the captcha that the server has chosen. Undefined when the person closed it. Throws ApiError. */
      solve: () => ask(purpose),
      /** The same in the place of a solved one that came too late, and says so. */
      solveAgain,
      /**
       * Sends with a ticket, and once more with another when that one came too late. Undefined when the person closed
       * the captcha. Throws what `send` throws.
       */
      async sendSolved<Output>(
        send: (ticket: string) => Promise<Output>,
        ticket: string | undefined,
      ): Promise<Output | undefined> {
        if (ticket === undefined) return undefined;
        try {
          return await send(ticket);
        } catch (error) {
          if (!isTicketSpent(error)) throw error;
          const another = await solveAgain();
          return another === undefined ? undefined : await send(another);
        }
      },
    };
  }, [ask, purpose]);
}
