import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LoginReply, RequestBody, SecondFactorNeed } from '@tongtu/contract';
import { useCallback, useRef } from 'react';
import { useRevalidator } from 'react-router';
import { forgetUser, profileQuery, useApi } from '../../api/index.ts';
import { forgetPhone } from './phone/phone-note.ts';
import { forgetLeaving } from './wechat/wechat-note.ts';

/** A login that has succeeded is worth more patience than a page that only asks who is there. */
const enterRetries = 3;

/** Has the new user's profile ready and lets the route's guard decide where they go. */
export function useEnter() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { revalidate } = useRevalidator();
  return useCallback(async () => {
    forgetUser(queryClient);
    await queryClient.fetchQuery({ ...profileQuery(api), retry: enterRetries });
    forgetPhone();
    forgetLeaving();
    await revalidate();
  }, [api, queryClient, revalidate]);
}

type Follow = (reply: LoginReply) => Promise<void>;

/**
 * Sends what lets `who` in, and goes on with the reply. When that is where it failed, the next try goes on from there:
 * the code is used up, and the session has begun.
 */
function useSendOnce<Output>(goOn: (reply: Output) => Promise<void>) {
  const done = useRef<{ who: string; reply: Output }>(undefined);
  return async (who: string, send: () => Promise<Output>) => {
    if (done.current?.who !== who) done.current = { who, reply: await send() };
    await goOn(done.current.reply);
  };
}

/** By an account's name and password; by WeChat there is nothing to type and to send again. */
type PasswordLogin = Extract<RequestBody<'POST /custom/login/'>, { account: string }>;

/** Sends with the ticket of a captcha where the server wants one. */
type WithTicket = (send: (ticket: string | undefined) => Promise<LoginReply>) => Promise<LoginReply>;

/** Pending until the user has been let in, so that the form stays as it is meanwhile. */
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
