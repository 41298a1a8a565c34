import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isLoggedIn, profileQuery, useApi } from '../../api/index.ts';

/** Checks the session when the user returns to this tab: they may have logged out in another one. */
export function useSessionWatch(): void {
  const api = useApi();
  const { data } = useQuery({ ...profileQuery(api), refetchOnWindowFocus: 'always' });
  const isLost = data !== undefined && !isLoggedIn(data);
  useEffect(() => {
    if (isLost) api.leaveForLogin();
  }, [isLost, api]);
}
