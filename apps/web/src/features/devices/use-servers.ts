import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';

/** Relays report their load every few seconds. For this display half a minute is precise enough. */
const pollEveryMs = 30_000;

/** The relay regions with their load. */
export function useServers() {
  const { call } = useApi();
  return useQuery({
    queryKey: ['servers'],
    queryFn: ({ signal }) => call('GET /api/user/servers/', { signal }),
    refetchInterval: pollEveryMs,
  });
}
