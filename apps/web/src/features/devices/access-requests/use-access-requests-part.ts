import { useQuery } from '@tanstack/react-query';
import { useAccessRequests } from './use-access-requests.ts';

/**
 * The component that shows them, loaded once there are any, because most visits show none. It is a query, so that a
 * screen can wait for it as for data.
 */
export function useAccessRequestsPart() {
  const { data: requests = [] } = useAccessRequests();
  return useQuery({
    queryKey: ['component', 'access-requests'],
    queryFn: async () => (await import('./access-requests.tsx')).AccessRequests,
    enabled: requests.length > 0,
    staleTime: Infinity,
  });
}
