import type { CaptchaPurpose } from '@tongtu/contract';
import { createContext, use, useMemo } from 'react';
import { errorCode, useApi } from '../../api/index.ts';
import { captchaDialogText } from '../../text/captcha.ts';

export type AskOptions = {
  /** A sentence beside the picture: why it is asked for. */
  notice?: string | undefined;
  /** Of the first picture, when the server has already chosen it. */
  firstKey?: string | undefined;
};

/** Shows a captcha; the answer is its ticket, or undefined when the person closed it. Throws ApiError when it cannot be shown. */
export type Ask = (purpose: CaptchaPurpose, options?: AskOptions) => Promise<string | undefined>;

export const AskContext = createContext<Ask>(() => Promise.reject(new Error('no CaptchaProvider')));

/** Whether a call with a ticket was refused for the ticket: it has aged away, or was used. */
export function isTicketSpent(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'captcha.ticket-expired' || code === 'captcha.required';
}

/** How a part of the page gets the ticket that a call requires. */
export function useCaptcha(purpose: CaptchaPurpose) {
  const { call } = useApi();
  const ask = use(AskContext);
  return useMemo(() => {
    const solveAgain = () => ask(purpose, { notice: captchaDialogText.ticketSpent });
    return {
      /**
       * Asks the server whether the purpose needs a captcha, and has it solved before anything is sent. Undefined when the
       * person closed it. Throws ApiError.
       */
      async solveIfRequired(): Promise<{ ticket?: string } | undefined> {
        // Without an answer nothing is lost: the call itself is refused when it needs a ticket.
        const need = await call('GET /api/verify/captcha/init/', { query: { purpose } }).catch(() => undefined);
        if (need?.required !== true) return {};
        const ticket = await ask(purpose, { firstKey: need.key ?? undefined });
        return ticket === undefined ? undefined : { ticket };
      },
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
  }, [call, ask, purpose]);
}
