import { useQuery } from '@tanstack/react-query';
import { useApi } from './api-context.ts';

const pollEveryMs = 10_000;

type Watch = { isWanted: boolean; isPolled: boolean };

/** The public state of an address. With `isPolled` it is fetched regularly. */
export function useDomainState(domain: string, { isWanted, isPolled }: Watch) {
  const { call } = useApi();
  return useQuery({
    queryKey: ['domain-state', domain],
    queryFn: ({ signal }) => call('GET /api/router_info/', { query: { domain }, signal }),
    enabled: isWanted,
    // The user may return from another tab in which they have just enabled the mapping.
    ...(isPolled && { staleTime: 0, refetchInterval: pollEveryMs }),
  });
}
