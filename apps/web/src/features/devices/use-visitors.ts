import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';
import { devicesKey } from './use-devices.ts';

const pageSize = 50;

/** Below the devices' key: what the live stream says of devices renews it as well. */
const visitorsKey = (mappingId: number) => [...devicesKey, 'visitors', mappingId];

/** Who was let in to a mapping, the latest first. */
export function useVisitors(mappingId: number) {
  const { call } = useApi();
  return useInfiniteQuery({
    queryKey: visitorsKey(mappingId),
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/user/verifications/', {
        query: { mapping: mappingId, limit: pageSize, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.next === null ? undefined : pages.length * pageSize),
    gcTime: 0,
  });
}

/** Ends a verification at once; done when the list shows it. */
export function useRevokeVisitor(mappingId: number) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call('DELETE /api/user/verifications/{id}/', { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: visitorsKey(mappingId) }),
  });
}
