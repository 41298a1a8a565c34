import { useMutation } from '@tanstack/react-query';
import type { SmsPurpose } from '@tongtu/contract';
import { errorCode, retryAfterSeconds, useApi } from '../../api/index.ts';
import { useCountdown } from '../../ui/use-countdown.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';

/** What a day's limit answers with at most. */
const longestWaitSeconds = 24 * 60 * 60;

/** Sends a code to a phone, after a captcha where the server wants one, and counts down until the next may be sent. */
export function useSendCode(purpose: SmsPurpose, phone: string | undefined) {
  const { call } = useApi();
  const captcha = useCaptcha('sms');
  const countdown = useCountdown(`sms.${purpose}.${phone ?? ''}`, longestWaitSeconds);

  const send = useMutation({
    /** Undefined when the person closed the captcha. */
    mutationFn: async (to: string) => {
      const isRequired = await captcha.isRequired();
      const ticket = isRequired ? await captcha.solve() : undefined;
      if (isRequired && ticket === undefined) return undefined;
      return await call('POST /api/verify/sms/send/', { body: { phone: to, purpose, ticket } });
    },
    onSuccess: (sent) => {
      if (sent) countdown.start(sent.retry_after);
    },
    onError: (error) => {
      const waits = ['code.too-often', 'code.daily-limit', 'request.too-many'].includes(errorCode(error) ?? '');
      if (waits) countdown.start(retryAfterSeconds(error) ?? 0);
    },
  });
  return { send, secondsLeft: countdown.secondsLeft };
}
