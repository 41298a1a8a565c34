import { useQuery } from '@tanstack/react-query';
import { useApi, useLiveUpdates } from '../../api/index.ts';

const probeEveryMs = 4000;
const probeTimeoutMs = 4000;

/** False when neither the live stream nor a plain call gets through. */
export function useConnection(): boolean {
  const { call } = useApi();
  const isLiveLost = useLiveUpdates() === 'lost';
  const probe = useQuery({
    queryKey: ['connection'],
    queryFn: ({ signal }) => call('GET /api/login_status/', { signal, timeoutMs: probeTimeoutMs }),
    enabled: isLiveLost,
    refetchInterval: probeEveryMs,
    refetchIntervalInBackground: true,
    retry: false,
    gcTime: 0,
  });
  return !(isLiveLost && probe.isError);
}
