import { onlineManager, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useApi } from '../api-context.ts';
import { errorCode } from '../client/api-error.ts';
import type { Call } from '../client/call-types.ts';

const probeEveryMs = 4000;
const probeTimeoutMs = 4000;

/** The browser's online state only triggers a check: a console on the same machine works without any network. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  );
}

/** A rate limit proves that the server is reachable. Many tabs behind one address can cause it. */
async function probe(call: Call, signal: AbortSignal): Promise<{ logged_in?: boolean }> {
  try {
    return await call('GET /api/login_status/', { signal, timeoutMs: probeTimeoutMs });
  } catch (error) {
    if (errorCode(error) === 'request.too-many') return {};
    throw error;
  }
}

export type Reachability = 'unknown' | 'reached' | 'unreachable';

/** Whether the server answers. Checked repeatedly while in doubt; `unknown` before the first answer. */
export function useReachability(isInDoubt: boolean) {
  const { call } = useApi();
  const { data, status, refetch } = useQuery({
    queryKey: ['connection'],
    queryFn: ({ signal }) => probe(call, signal),
    enabled: isInDoubt,
    staleTime: 0,
    refetchInterval: probeEveryMs,
    refetchIntervalInBackground: true,
    refetchOnReconnect: 'always',
    retry: false,
    gcTime: 0,
  });
  const answers = { pending: 'unknown', success: 'reached', error: 'unreachable' } as const satisfies Record<
    string,
    Reachability
  >;
  return { reachability: answers[status], isLoggedIn: data?.logged_in, look: () => void refetch() };
}
