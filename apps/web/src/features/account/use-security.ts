import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';

export const securityKey = ['security'];

/** The account's second step and its scheduled deletion. */
export function useSecurity() {
  const { call } = useApi();
  return useQuery({
    queryKey: securityKey,
    queryFn: ({ signal }) => call('GET /api/user/security/', { signal }),
    staleTime: 30_000,
    refetchOnWindowFocus: true,
  });
}
