import { onlineManager, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useApi } from './api-context.ts';

const probeEveryMs = 4000;
const probeTimeoutMs = 4000;

/** What the browser thinks: a reason to look, no more. A console on the same machine works without any network. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  );
}

export type Reachability = 'unknown' | 'reached' | 'away';

/** Whether the server answers, asked again and again while there is doubt; `unknown` before the first answer. */
export function useReachability(isInDoubt: boolean) {
  const { call } = useApi();
  const { data, status, refetch } = useQuery({
    queryKey: ['connection'],
    queryFn: ({ signal }) => call('GET /api/login_status/', { signal, timeoutMs: probeTimeoutMs }),
    enabled: isInDoubt,
    staleTime: 0,
    refetchInterval: probeEveryMs,
    refetchIntervalInBackground: true,
    refetchOnReconnect: 'always',
    retry: false,
    gcTime: 0,
  });
  const answers = { pending: 'unknown', success: 'reached', error: 'away' } as const satisfies Record<
    string,
    Reachability
  >;
  return { reachability: answers[status], isLoggedIn: data?.logged_in, look: () => void refetch() };
}
