import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isLoggedIn, profileQuery, useApi } from '../../api/index.ts';

/** Asks whenever the person comes back to this tab: in another one they may have logged out. */
export function useSessionWatch(): void {
  const api = useApi();
  const { data } = useQuery({ ...profileQuery(api), refetchOnWindowFocus: 'always' });
  const isLost = data !== undefined && !isLoggedIn(data);
  useEffect(() => {
    if (isLost) api.leaveForLogin();
  }, [isLost, api]);
}
