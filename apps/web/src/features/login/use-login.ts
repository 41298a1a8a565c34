import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LoginReply, RequestBody, SecondFactorNeed } from '@tongtu/contract';
import { useCallback } from 'react';
import { useRevalidator } from 'react-router';
import { forgetUser, profileQuery, useApi } from '../../api/index.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';
import { forgetPhone } from './phone/phone-note.ts';
import { useSendOnce } from './use-send-once.ts';
import { forgetPendingLogin } from './wechat/wechat-note.ts';

/** More retries than usual: after a successful login the profile matters. */
const enterRetries = 3;

/** Loads the new user's profile. Then the route's guard decides where to go. */
export function useEnter() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { revalidate } = useRevalidator();
  return useCallback(async () => {
    forgetUser(queryClient);
    await queryClient.fetchQuery({ ...profileQuery(api), retry: enterRetries });
    forgetPhone();
    forgetPendingLogin();
    await revalidate();
  }, [api, queryClient, revalidate]);
}

type Follow = (reply: LoginReply) => Promise<void>;

export function usePhoneLogin(follow: Follow) {
  const { call } = useApi();
  const sendOnce = useSendOnce(follow);
  return useMutation({
    mutationFn: (body: RequestBody<'POST /api/verify/login/phone/'>) =>
      sendOnce(body.phone, () => call('POST /api/verify/login/phone/', { body })),
  });
}

export function useResetPassword() {
  const { call } = useApi();
  return useMutation({
    mutationFn: (body: RequestBody<'POST /api/verify/password/reset/'>) =>
      call('POST /api/verify/password/reset/', { body }),
  });
}

/** Asks for a mail with a link; resolves with the address, or with undefined when the captcha was closed. */
export function useForgottenByMail() {
  const { call } = useApi();
  const { sendSolved } = useCaptcha('sms');
  return useMutation({
    mutationFn: async (email: string) => {
      const send = (solved: { ticket?: string }) =>
        call('POST /api/invitation/forgotten/', { body: { email, ...solved } });
      return (await sendSolved(send, undefined)) && email;
    },
  });
}

export type SecondProof = { code: string } | { recovery_code: string } | { passkey: Record<string, unknown> };

type SecondStepInput = {
  prove: SecondProof | (() => Promise<SecondProof>);
  /** This browser skips the second step for a while. */
  trustsBrowser: boolean;
};

export function useSecondStep(need: SecondFactorNeed, enter: () => Promise<void>) {
  const { call } = useApi();
  const { token } = need;
  const sendOnce = useSendOnce(enter);
  return useMutation({
    mutationFn: ({ prove, trustsBrowser }: SecondStepInput) =>
      sendOnce(token, async () => {
        const proof = typeof prove === 'function' ? await prove() : prove;
        await call('POST /custom/login/second/', { body: { token, trust_browser: trustsBrowser, ...proof } });
      }),
  });
}
