import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/index.ts';

/** The public address of the browser's network. It is never cached, because it changes with the network. */
export function useCurrentIp() {
  const { call } = useApi();
  return useQuery({
    queryKey: ['current-ip'],
    queryFn: ({ signal }) => call('GET /api/user/current_ip/', { signal }),
    gcTime: 0,
  });
}
