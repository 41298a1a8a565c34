import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/index.ts';

const askEveryMs = 4000;
/** What the server remembers. */
const maxSeconds = 1800;

/** What the server has seen since then, see `adviceOf`. By this page's own clock: that of the computer may be wrong. */
export function useDeviceAttempts(sinceMs: number, isWaiting: boolean) {
  const { call } = useApi();
  return useQuery({
    queryKey: ['device-attempts', sinceMs],
    queryFn: ({ signal }) => {
      const seconds = Math.ceil((performance.now() - sinceMs) / 1000);
      const within_seconds = Math.min(Math.max(seconds, 1), maxSeconds);
      return call('GET /api/user/device_attempts/', { query: { within_seconds }, signal });
    },
    refetchInterval: askEveryMs,
    enabled: isWaiting,
    gcTime: 0,
  });
}
