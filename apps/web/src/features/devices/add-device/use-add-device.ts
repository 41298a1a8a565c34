import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { devicesKey } from '../../../api/index.ts';

const watchEveryMs = 2000;

/** Polls for the new device more often than the list does, in case the live stream is down. */
export function useWatchForDevice(isWaiting: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isWaiting) return;
    // On a slow network the list takes longer than this: starting it anew each time would never complete it.
    const look = () => queryClient.invalidateQueries({ queryKey: devicesKey }, { cancelRefetch: false });
    const timer = setInterval(() => void look(), watchEveryMs);
    return () => clearInterval(timer);
  }, [isWaiting, queryClient]);
}
