import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';

/** Which relay key the agent must see; part of the line to paste. */
export function useBootstrap() {
  const { call } = useApi();
  return useQuery({
    queryKey: ['site', 'bootstrap'],
    queryFn: ({ signal }) => call('GET /api/agent/bootstrap/', { signal }),
  });
}
