import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { devicesKey, useApi } from '../../../api/index.ts';

const watchEveryMs = 2000;
/** Half of a proof's life (10 minutes): after copying the line, a user has five minutes left to paste it. */
const renewProofEveryMs = 5 * 60_000;

/** Which relay key the agent must see; part of the line to paste. */
export function useBootstrap() {
  const { call } = useApi();
  return useQuery({
    queryKey: ['site', 'bootstrap'],
    queryFn: ({ signal }) => call('GET /api/agent/bootstrap/', { signal }),
  });
}

/** A token for one device, as agents take it; the account token itself is not shown. */
export function useBindingToken() {
  const { call } = useApi();
  const id = useId(); // a proof works once, so each dialog gets its own
  return useQuery({
    queryKey: ['binding-token', id],
    queryFn: async ({ signal }) => {
      const proof = await call('GET /api/user/token-sign/', { signal });
      return `tb_${proof.token_id}.${proof.sign}`;
    },
    staleTime: renewProofEveryMs,
    refetchInterval: renewProofEveryMs,
    gcTime: 0,
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
