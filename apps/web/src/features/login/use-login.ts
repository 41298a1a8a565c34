import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LoginReply, RequestBody, SecondFactorNeed } from '@tongtu/contract';
import { useCallback } from 'react';
import { useRevalidator } from 'react-router';
import { forgetUser, profileQuery, useApi } from '../../api/index.ts';

/** Has the new user's profile ready and lets the route's guard decide where they go. */
export function useEnter() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { revalidate } = useRevalidator();
  return useCallback(async () => {
    forgetUser(queryClient);
    await queryClient.fetchQuery(profileQuery(api));
    await revalidate();
  }, [api, queryClient, revalidate]);
}

type Follow = (reply: LoginReply) => Promise<void>;

/** Pending until the user has been let in, so that the form stays as it is meanwhile. */
export function usePasswordLogin(follow: Follow) {
  const { call } = useApi();
  return useMutation({
    mutationFn: async (body: RequestBody<'POST /custom/login/'>) =>
      await follow(await call('POST /custom/login/', { body })),
  });
}

export function usePhoneLogin(follow: Follow) {
  const { call } = useApi();
  return useMutation({
    mutationFn: async (body: RequestBody<'POST /api/verify/login/phone/'>) =>
      await follow(await call('POST /api/verify/login/phone/', { body })),
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
  return useMutation({
    mutationFn: async (prove: SecondProof | (() => Promise<SecondProof>)) => {
      const proof = typeof prove === 'function' ? await prove() : prove;
      await call('POST /custom/login/second/', { body: { token, ...proof } });
      await enter();
    },
  });
}
