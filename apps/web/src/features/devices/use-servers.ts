import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';

/** A relay says every few seconds how much it has to do; half a minute is near enough for a glance. */
const pollEveryMs = 30_000;

/** The relay regions and their states. */
export function useServers() {
  const { call } = useApi();
  return useQuery({
    queryKey: ['servers'],
    queryFn: ({ signal }) => call('GET /api/user/servers/', { signal }),
    refetchInterval: pollEveryMs,
  });
}
