import { useEffect } from 'react';
import { useApi, useIsOnline, useLiveUpdates, useReachability } from '../../api/index.ts';

/** False when neither the live stream nor a plain call gets through. */
export function useConnection(): boolean {
  const { leaveForLogin } = useApi();
  const isLiveLost = useLiveUpdates() === 'lost';
  const isOnline = useIsOnline();
  const isInDoubt = isLiveLost || !isOnline;
  const { reachability, isLoggedIn } = useReachability(isInDoubt);
  // The stream also ends when the session does, in another tab for example; a screen that calls nothing would not notice.
  const isSessionLost = isInDoubt && isLoggedIn === false;
  useEffect(() => {
    if (isSessionLost) leaveForLogin();
  }, [isSessionLost, leaveForLogin]);
  return !(isInDoubt && reachability === 'away');
}
