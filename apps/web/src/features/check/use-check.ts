import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CheckReply } from '@tongtu/contract';
import { useNavigate } from 'react-router';
import { forgetUser, profileQuery, useApi, useDomainState } from '../../api/index.ts';
import { paths, withQuery } from '../../paths.ts';
import { forgetCountdowns } from '../../ui/use-countdown.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';

/** What the visitor wants to open, and the share link's code if they have one. */
export type Visit = { url: string; share: string | undefined };

const pendingRequestMs = 4000;

const checkKey = ({ url, share }: Visit) => ['check', url, share ?? ''];

function useFetchCheck({ url, share }: Visit) {
  const { call } = useApi();
  const query = { url, ...(share === undefined ? {} : { share }) };
  return (signal?: AbortSignal) => call('GET /custom/check/', { query, ...(signal && { signal }) });
}

/** Refusals that may have been lifted when the user returns to this tab. */
function isRefusal(reply: CheckReply | undefined): boolean {
  if (reply === undefined || reply.allowed) return false;
  return reply.reason !== 'password_required' && reply.reason !== 'login_required';
}

/**
 * Checks once, because every admission has a ticket for one use. After a refusal it checks again when the user returns.
 */
export function useCheck(visit: Visit) {
  const fetchCheck = useFetchCheck(visit);
  return useQuery({
    queryKey: checkKey(visit),
    queryFn: ({ signal }) => fetchCheck(signal),
    enabled: visit.url !== '',
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: ({ state }) => (isRefusal(state.data) ? 'always' : false),
    refetchOnReconnect: false,
    // Until the owner answers the request; a reply without admission uses no ticket.
    refetchInterval: ({ state }) => (state.data?.request === 'pending' ? pendingRequestMs : false),
  });
}

/** Asks the owner to let this account in, and checks again to learn how the request stands. Throws ApiError. */
export function useRequestAccess({ url, share }: Visit) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (message: string) => call('POST /custom/check/request/', { body: { url, message } }),
    onSuccess: async () => await queryClient.invalidateQueries({ queryKey: checkKey({ url, share }) }),
  });
}

/** Checks again for a new ticket; the caller ignores the rest of the reply. Throws ApiError. */
export function useRecheck(visit: Visit) {
  const fetchCheck = useFetchCheck(visit);
  return useMutation({ mutationFn: () => fetchCheck() });
}

/** Whether this browser's network may pass at `url`; undefined until that is known. */
export function useRegisteredIp(url: string) {
  const { call } = useApi();
  const { data } = useQuery({
    queryKey: ['registered-ip', url],
    queryFn: ({ signal }) => call('POST /ip/checkUserDidRegisterIP', { body: { url }, signal }),
    gcTime: 0,
    refetchOnWindowFocus: 'always',
  });
  return data;
}

/** The opening times, fetched only when they are the reason of the refusal. */
export function useOpeningTimes(domain: string, isWanted: boolean) {
  return useDomainState(domain, { isWanted, isPolled: false }).data;
}

/**
 * Sends the access password, after a captcha if the server requires one. Undefined when the user closed the captcha. An
 * admission or another reason replaces the screen's reply.
 */
export function useEnterPassword(visit: Visit) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  const captcha = useCaptcha('gate_password');

  async function enter(password: string): Promise<CheckReply | undefined> {
    const body = { url: visit.url, password };
    return await captcha.sendSolved(
      (solved) => call('POST /custom/check/', { body: { ...body, ...solved } }),
      undefined,
    );
  }

  return useMutation({
    mutationFn: enter,
    onSuccess: (reply) => {
      if (reply) queryClient.setQueryData(checkKey(visit), reply);
    },
  });
}

export function useAccountName(isWanted: boolean): string {
  const { data } = useQuery({ ...profileQuery(useApi()), enabled: isWanted });
  return data?.username ?? '';
}

/** Opens the login screen, which returns to `url`. The login screen ignores the current user. */
export function useLoginFor(url: string) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return () => {
    forgetUser(queryClient);
    void navigate(withQuery(paths.login, { url }), { replace: true });
  };
}

export function useSwitchAccount(url: string) {
  const { endSession } = useApi();
  const goToLogin = useLoginFor(url);
  return useMutation({
    mutationFn: endSession,
    onSuccess: () => {
      forgetCountdowns();
      goToLogin();
    },
  });
}
