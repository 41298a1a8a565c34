import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi, useChange } from '../../../api/index.ts';

const sessionsKey = ['cloud-app-sessions'];
const pollEveryMs = 5_000;
export const sessionsPageSize = 20;

/** One page of the sessions, the latest first. */
export function useAppSessions({ page, isOpenOnly }: { page: number; isOpenOnly: boolean }) {
  const { call } = useApi();
  const query = {
    limit: sessionsPageSize,
    offset: (page - 1) * sessionsPageSize,
    ...(isOpenOnly && { open: 'true' as const }),
  };
  return useQuery({
    queryKey: [...sessionsKey, query],
    queryFn: ({ signal }) => call('GET /api/user/cloud_app_sessions/', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: pollEveryMs,
    gcTime: 0,
  });
}

export function useEndAppSession() {
  return useChange([sessionsKey], (call, id: number) =>
    call('DELETE /api/user/cloud_app_sessions/{id}/', { params: { id } }),
  );
}
