import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { devicesKey, useApi } from '../../../api/index.ts';

const watchEveryMs = 2000;

/** Which relay key the agent must see; part of the line to paste. */
export function useBootstrap() {
  const { call } = useApi();
  return useQuery({
    queryKey: ['site', 'bootstrap'],
    queryFn: ({ signal }) => call('GET /api/agent/bootstrap/', { signal }),
  });
}

/** Looks for the awaited device more often than the list does by itself, in case the live stream is down. */
export function useWatchForDevice(isWaiting: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void queryClient.invalidateQueries({ queryKey: devicesKey }), watchEveryMs);
    return () => clearInterval(timer);
  }, [isWaiting, queryClient]);
}
