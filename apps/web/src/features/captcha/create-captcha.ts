import type { CaptchaPurpose } from '@tongtu/contract';
import { errorCode } from '../../api/client/api-error.ts';
import type { Call } from '../../api/client/call-types.ts';
import { ticketSpentText } from '../../text/login/captcha.ts';

export type SolveOptions = {
  /** The address of the page that asks. */
  pageHref: string;
  /** Why the captcha is shown. */
  notice?: string | undefined;
  /** The key of the first challenge, if the server has already chosen it. */
  firstKey?: string | undefined;
};

/**
 * Shows a captcha. Resolves with its ticket, or with undefined when the user closed it or left the page. Throws ApiError
 * when it cannot be shown.
 */
export type SolveCaptcha = (purpose: CaptchaPurpose, options: SolveOptions) => Promise<string | undefined>;

/** How many further captchas one submission may require. */
const MAX_RETRIES = 2;
/** If the server does not say in time whether it requires a captcha, the call itself will say so. */
const NEED_TIMEOUT_MS = 5_000;

/** Server and network may take their time before a captcha can be shown. */
export function isPageLeft({ pageHref }: SolveOptions): boolean {
  return pageHref !== window.location.href;
}

type Solved = { ticket?: string };

/** Whether a call was refused because its ticket has expired or was used. */
function isTicketSpent(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'captcha.ticket-expired' || code === 'captcha.required';
}

type CaptchaDeps = { call: Call; ask: SolveCaptcha; purpose: CaptchaPurpose };

export type Captcha = ReturnType<typeof createCaptcha>;

/** Gets the ticket that a call requires. */
export function createCaptcha({ call, ask, purpose }: CaptchaDeps) {
  async function solve(options: SolveOptions): Promise<Required<Solved> | undefined> {
    const ticket = await ask(purpose, options);
    return ticket === undefined ? undefined : { ticket };
  }

  async function solveIfRequired(pageHref: string): Promise<Solved | undefined> {
    const question = { query: { purpose }, timeoutMs: NEED_TIMEOUT_MS };
    // Without an answer the call is tried: the server refuses it if it needs a ticket.
    const need = await call('GET /api/verify/captcha/init/', question).catch(() => undefined);
    return need?.required === true ? await solve({ pageHref, firstKey: need.key ?? undefined }) : {};
  }

  return {
    /** Opens the captcha that the server chooses. Undefined when the user closed it or left the page. Throws ApiError. */
    solve: () => ask(purpose, { pageHref: window.location.href }),
    /**
     * Sends with the given ticket. Without one it first asks the server whether a captcha is required. If the server
     * refuses the ticket, the user solves another captcha and `send` runs again. Undefined when the user closed the
     * captcha or left the page. Throws what `send` throws, and ApiError when the captcha cannot be shown.
     */
    async sendSolved<Output>(
      send: (solved: Solved) => Promise<Output>,
      ticket: string | undefined,
    ): Promise<Output | undefined> {
      const pageHref = window.location.href;
      let solved = ticket === undefined ? await solveIfRequired(pageHref) : { ticket };
      for (let askedCount = 0; solved !== undefined; askedCount++) {
        try {
          return await send(solved);
        } catch (error) {
          if (!isTicketSpent(error) || askedCount === MAX_RETRIES) throw error;
          // A user who has already solved one reads why there is another.
          solved = await solve({ pageHref, notice: solved.ticket === undefined ? undefined : ticketSpentText });
        }
      }
      return undefined;
    },
  };
}
