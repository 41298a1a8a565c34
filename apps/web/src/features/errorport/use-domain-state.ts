import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';

const refreshEveryMs = 10_000;

export function useDomainState(domain: string) {
  const { call } = useApi();
  return useQuery({
    queryKey: ['domain-state', domain],
    queryFn: ({ signal }) => call('GET /api/router_info/', { query: { domain }, signal }),
    enabled: domain !== '',
    // Whoever comes back from switching it on wants the state of now.
    staleTime: 0,
    refetchInterval: refreshEveryMs,
  });
}

/** True when the device behind the address is the caller's: only then is there something to diagnose. */
export function useIsOwner(domain: string, isKnown: boolean): boolean {
  const { call } = useApi();
  const { isSuccess } = useQuery({
    queryKey: ['domain-owner', domain],
    queryFn: ({ signal }) => call('GET /custom/router_info/', { query: { domain }, signal }),
    enabled: isKnown,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return isSuccess;
}
