import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RequestBody } from '@tongtu/contract';
import { useCallback } from 'react';
import { useRevalidator } from 'react-router';
import { errorCode, forgetUser, profileQuery, useApi } from '../../../api/index.ts';

/** More retries than usual: after a successful login the profile matters. */
const enterRetries = 3;

/** Loads the new user's profile. */
export function useEnter() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { revalidate } = useRevalidator();
  return useCallback(async () => {
    forgetUser(queryClient);
    await queryClient.fetchQuery({ ...profileQuery(api), retry: enterRetries });
    await revalidate();
  }, [api, queryClient, revalidate]);
}

const factsKey = ['site', 'invitation'];

/** What the link is. It is looked up once: using it ends it. */
export function useInvitationFacts(token: string) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...factsKey, token],
    queryFn: ({ signal }) => call('POST /api/invitation/look/', { body: { token }, signal }),
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** The form cannot be sent any more: the link was revoked, used or has expired, or the registration was closed. */
const hasEnded = ['invitation.not-found', 'registration.closed'];

export function useJoin() {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RequestBody<'POST /api/invitation/join/'>) => call('POST /api/invitation/join/', { body }),
    // The page then says what the link still offers.
    onError: async (error) => {
      if (hasEnded.includes(errorCode(error) ?? '')) await queryClient.invalidateQueries({ queryKey: factsKey });
    },
  });
}

export function useAccept() {
  const { call } = useApi();
  return useMutation({
    mutationFn: (token: string) => call('POST /api/invitation/accept/', { body: { token } }),
  });
}

export function useChoosePassword() {
  const { call } = useApi();
  return useMutation({
    mutationFn: (body: RequestBody<'POST /api/invitation/password/'>) =>
      call('POST /api/invitation/password/', { body }),
  });
}
