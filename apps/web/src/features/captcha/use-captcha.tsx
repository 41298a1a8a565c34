import type { CaptchaPurpose } from '@tongtu/contract';
import { createContext, use, useMemo } from 'react';
import { errorCode, useApi } from '../../api/index.ts';
import { captchaDialogText } from '../../text/captcha.ts';

export type SolveOptions = {
  /** A sentence beside the picture: why it is asked for. */
  notice?: string | undefined;
  /** Of the first picture, when the server has already chosen it. */
  firstKey?: string | undefined;
};

/** Shows a captcha; the answer is its ticket, or undefined when the person closed it. Throws ApiError when it cannot be shown. */
export type SolveCaptcha = (purpose: CaptchaPurpose, options?: SolveOptions) => Promise<string | undefined>;

export const SolveContext = createContext<SolveCaptcha>(() => Promise.reject(new Error('no CaptchaProvider')));

/** How often a captcha is asked for within one wish, after the first sending. */
const MAX_RETRIES = 2;
/** A server that does not say so soon whether it wants a captcha says so in its answer to the call. */
const NEED_TIMEOUT_MS = 5_000;

type Solved = { ticket?: string };

/** Whether a call with a ticket was refused for the ticket: it has aged away, or was used. */
function isTicketSpent(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'captcha.ticket-expired' || code === 'captcha.required';
}

/** How a part of the page gets the ticket that a call requires. */
export function useCaptcha(purpose: CaptchaPurpose) {
  const { call } = useApi();
  const ask = use(SolveContext);
  return useMemo(() => {
    async function solve(options?: SolveOptions): Promise<Required<Solved> | undefined> {
      const ticket = await ask(purpose, options);
      return ticket === undefined ? undefined : { ticket };
    }

    async function solveIfRequired(): Promise<Solved | undefined> {
      const question = { query: { purpose }, timeoutMs: NEED_TIMEOUT_MS };
      // Without an answer nothing is lost: the call itself is refused when it needs a ticket.
      const need = await call('GET /api/verify/captcha/init/', question).catch(() => undefined);
      return need?.required === true ? await solve({ firstKey: need.key ?? undefined }) : {};
    }

    return {
      /** Opens the captcha that the server chooses. Undefined when the person closed it. Throws ApiError. */
      solve: () => ask(purpose),
      /**
       * Sends with the ticket at hand or, where there is none, asks the server first whether it wants one, so that nothing is
       * sent in vain. Sends again with another ticket when the server has refused for the ticket. Undefined when the person
       * closed the captcha. Throws what `send` throws, and ApiError when the captcha cannot be shown.
       */
      async sendSolved<Output>(
        send: (solved: Solved) => Promise<Output>,
        ticket: string | undefined,
      ): Promise<Output | undefined> {
        let solved = ticket === undefined ? await solveIfRequired() : { ticket };
        for (let askedCount = 0; solved !== undefined; askedCount++) {
          try {
            return await send(solved);
          } catch (error) {
            if (!isTicketSpent(error) || askedCount === MAX_RETRIES) throw error;
            // Who has solved one already is told why there is another.
            solved = await solve(solved.ticket === undefined ? undefined : { notice: captchaDialogText.ticketSpent });
          }
        }
        return undefined;
      },
    };
  }, [call, ask, purpose]);
}
