import type { CaptchaPurpose } from '@tongtu/contract';
import { createContext, use, useMemo } from 'react';
import { useApi } from '../../api/index.ts';
import { type Captcha, createCaptcha, type SolveCaptcha } from './create-captcha.ts';

export const SolveContext = createContext<SolveCaptcha>(() => Promise.reject(new Error('no CaptchaProvider')));

/** Gets the ticket that a call requires. */
export function useCaptcha(purpose: CaptchaPurpose): Captcha {
  const { call } = useApi();
  const ask = use(SolveContext);
  return useMemo(() => createCaptcha({ call, ask, purpose }), [call, ask, purpose]);
}
