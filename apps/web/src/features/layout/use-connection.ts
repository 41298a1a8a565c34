import { useIsOnline, useLiveUpdates, useReachability } from '../../api/index.ts';

/** False when neither the live stream nor a plain call gets through. */
export function useConnection(): boolean {
  const isLiveLost = useLiveUpdates() === 'lost';
  const isOnline = useIsOnline();
  const isInDoubt = isLiveLost || !isOnline;
  const { reachability } = useReachability(isInDoubt);
  return !(isInDoubt && reachability === 'away');
}
