import { useMutation } from '@tanstack/react-query';
import type { CaptchaPurpose } from '@tongtu/contract';
import { useApi } from '../../api/index.ts';

/** A code by e-mail in place of an image. */
export function useEmailChallenge(purpose: CaptchaPurpose) {
  const { call } = useApi();
  return {
    send: useMutation({
      mutationFn: (email: string) => call('POST /captcha/email/', { body: { purpose, email } }),
    }),
    answer: useMutation({
      mutationFn: (body: { email: string; code: string }) =>
        call('POST /captcha/email/answer/', { body: { purpose, ...body } }),
    }),
  };
}
