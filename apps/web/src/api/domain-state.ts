import { useQuery } from '@tanstack/react-query';
import { useApi } from './api-context.ts';

const pollEveryMs = 10_000;

type Watch = { isWanted: boolean; isPolled: boolean };

/** How an address stands, as anybody may know. `isPolled`: asked for now, and again and again. */
export function useDomainState(domain: string, { isWanted, isPolled }: Watch) {
  const { call } = useApi();
  return useQuery({
    queryKey: ['domain-state', domain],
    queryFn: ({ signal }) => call('GET /api/router_info/', { query: { domain }, signal }),
    enabled: isWanted,
    // Whoever comes back from switching it on wants the state of now.
    ...(isPolled && { staleTime: 0, refetchInterval: pollEveryMs }),
  });
}
