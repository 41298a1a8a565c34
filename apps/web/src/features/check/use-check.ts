import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { forgetUser, profileQuery, useApi } from '../../api/index.ts';
import { paths, withQuery } from '../../paths.ts';

/** Asks once: every yes carries a ticket that works a single time. */
export function useCheck(url: string) {
  const { call } = useApi();
  return useQuery({
    queryKey: ['check', url],
    queryFn: ({ signal }) => call('GET /custom/check/', { query: { url }, signal }),
    enabled: url !== '',
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
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
  return useMutation({ mutationFn: endSession, onSuccess: goToLogin });
}
