import { useQuery } from '@tanstack/react-query';
import { useApi, useChange } from '../../../api/index.ts';
import { securityKey } from '../use-security.ts';

const pollEveryMs = 15_000;
const sessionsKey = ['sessions'];

/** The logged-in browsers, including this one. Polled, so that a new login appears soon. */
export function useSessions() {
  const { call } = useApi();
  return useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => call('GET /api/user/sessions/', { signal }),
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}

export function useEndSession() {
  return useChange([securityKey, sessionsKey], (call, id: number) =>
    call('DELETE /api/user/sessions/{id}/', { params: { id } }),
  );
}

export function useEndOtherSessions() {
  return useChange([securityKey, sessionsKey], (call) => call('DELETE /api/user/sessions/'));
}
