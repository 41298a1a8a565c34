import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/index.ts';
import { useAccountMutation } from '../use-security.ts';

const sessionsKey = ['sessions'];

/** The browsers that are logged in, this one included. */
export function useSessions() {
  const { call } = useApi();
  return useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => call('GET /api/user/sessions/', { signal }),
    refetchOnWindowFocus: true,
  });
}

export function useEndSession() {
  return useAccountMutation(
    (call, id: number) => call('DELETE /api/user/sessions/{id}/', { params: { id } }),
    sessionsKey,
  );
}

export function useEndOtherSessions() {
  return useAccountMutation((call) => call('DELETE /api/user/sessions/'), sessionsKey);
}
