import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LoginReply, RequestBody, SecondFactorNeed } from '@tongtu/contract';
import { useCallback, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { forgetUser, profileQuery, useApi } from '../../api/index.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';
import { forgetPhone } from './phone/phone-note.ts';
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

/**
 * Sends `who` and continues with the reply. If the continuation fails, the next try resumes there: the code is used up
 * and the session exists.
 */
function useSendOnce<Output>(continueLogin: (reply: Output) => Promise<void>) {
  const done = useRef<{ who: string; reply: Output }>(undefined);
  return async (who: string, send: () => Promise<Output>) => {
    if (done.current?.who !== who) done.current = { who, reply: await send() };
    await continueLogin(done.current.reply);
  };
}

/** Password logins; WeChat has nothing to type and to send again. */
type PasswordLogin = Extract<RequestBody<'POST /custom/login/'>, { account: string }>;

/** Sends with a captcha ticket if the server requires one. */
type WithTicket = (send: (ticket: string | undefined) => Promise<LoginReply>) => Promise<LoginReply>;

/** Pending until the navigation, so that the form does not change before. */
export function usePasswordLogin(follow: Follow, withTicket: WithTicket) {
  const { call } = useApi();
  const sendOnce = useSendOnce(follow);
  return useMutation({
    mutationFn: (body: Omit<PasswordLogin, 'ticket'>) =>
      sendOnce(body.account, () => withTicket((ticket) => call('POST /custom/login/', { body: { ...body, ticket } }))),
  });
}

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

export function useSecondStep(need: SecondFactorNeed, enter: () => Promise<void>) {
  const { call } = useApi();
  const { token } = need;
  const sendOnce = useSendOnce(enter);
  return useMutation({
    mutationFn: (prove: SecondProof | (() => Promise<SecondProof>)) =>
      sendOnce(token, async () => {
        const proof = typeof prove === 'function' ? await prove() : prove;
        await call('POST /custom/login/second/', { body: { token, ...proof } });
      }),
  });
}
