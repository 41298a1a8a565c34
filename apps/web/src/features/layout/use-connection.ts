import { useEffect } from 'react';
import { useApi, useIsOnline, useLiveUpdates, useReachability } from '../../api/index.ts';

/** `offline`: this computer has no network. `server-away`: it has one, but the server does not answer. */
export type Connection = 'connected' | 'offline' | 'server-away';

/** Lost when neither the live stream nor a plain call succeeds. */
export function useConnection(): Connection {
  const { leaveForLogin } = useApi();
  const isLiveLost = useLiveUpdates() === 'lost';
  const isOnline = useIsOnline();
  const isInDoubt = isLiveLost || !isOnline;
  const { reachability, isLoggedIn } = useReachability(isInDoubt);
  // The stream also ends with the session, for example by a logout in another tab. A screen without calls would not
  // notice.
  const isSessionLost = isInDoubt && isLoggedIn === false;
  useEffect(() => {
    if (isSessionLost) leaveForLogin();
  }, [isSessionLost, leaveForLogin]);
  if (!isInDoubt || reachability !== 'unreachable') return 'connected';
  return isOnline ? 'server-away' : 'offline';
}
