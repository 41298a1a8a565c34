import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CheckReply } from '@tongtu/contract';
import { useNavigate } from 'react-router';
import { forgetUser, profileQuery, useApi, useDomainState } from '../../api/index.ts';
import { paths, withQuery } from '../../paths.ts';
import { forgetCountdowns } from '../../ui/use-countdown.ts';
import { useCaptcha } from '../captcha/use-captcha.tsx';

/** What the visitor wants to open, and the code of a share link where they came by one. */
export type Visit = { url: string; share: string | undefined };

const checkKey = ({ url, share }: Visit) => ['check', url, share ?? ''];

function useFetchCheck({ url, share }: Visit) {
  const { call } = useApi();
  const query = { url, ...(share === undefined ? {} : { share }) };
  return (signal?: AbortSignal) => call('GET /custom/check/', { query, ...(signal && { signal }) });
}

/** What may have become a yes while the person was elsewhere. */
function isRefusal(reply: CheckReply | undefined): boolean {
  if (reply === undefined || reply.allowed) return false;
  return reply.reason !== 'password_required' && reply.reason !== 'login_required';
}

/** Asks once, for every yes carries a ticket that works a single time; after a no again, when the person comes back. */
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
  });
}

/** Asks once more for a ticket of now; what it says otherwise is not the page's matter. Throws ApiError. */
export function useRecheck(visit: Visit) {
  const fetchCheck = useFetchCheck(visit);
  return useMutation({ mutationFn: () => fetchCheck() });
}

/** Whether the address of this browser's network passes at `url`; undefined until that is known. */
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

/** When the address is open; asked only where that is why it is shut. */
export function useOpeningTimes(domain: string, isWanted: boolean) {
  return useDomainState(domain, { isWanted, isPolled: false }).data;
}

/**
 * Shows the password of a mapping, after a captcha where the server wants one. The answer is undefined when the person
 * closed the captcha; a yes or a changed reason becomes the page's own.
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

/** Leaves for the login page, which comes back to `url`; whoever is logged in here stays unknown to it. */
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
