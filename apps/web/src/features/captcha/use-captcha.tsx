import type { CaptchaPurpose } from '@tongtu/contract';
import { createContext, use, useMemo } from 'react';

/**
 * Shows a captcha; the answer is its ticket, or undefined when the person closed it. Throws ApiError when it cannot be
 * shown.
 */
type Ask = (purpose: CaptchaPurpose) => Promise<string | undefined>;

export const AskContext = createContext<Ask>(() => Promise.reject(new Error('no CaptchaProvider')));

/** How a part of the page gets the ticket that a call requires. */
export function useCaptcha(purpose: CaptchaPurpose) {
  const ask = use(AskContext);
  return useMemo(
    () => ({
      /** Opens the captcha that the server has chosen. Undefined when the person closed it. Throws ApiError. */
      solve: () => ask(purpose),
    }),
    [ask, purpose],
  );
}
