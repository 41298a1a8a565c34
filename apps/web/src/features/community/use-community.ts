import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';

export function useCommunity() {
  const { call } = useApi();
  return useQuery({
    queryKey: ['site-entries', 'community'],
    queryFn: ({ signal }) => call('GET /api/site/community/', { signal }),
  });
}

/** The networks of the user's devices, with who was seen there. */
export function usePublicNetworks() {
  const { call } = useApi();
  return useQuery({
    queryKey: ['devices', 'networks'],
    queryFn: ({ signal }) => call('GET /api/site/players/get_ip_list/', { query: {}, signal }),
  });
}
