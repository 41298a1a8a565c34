import { useQuery } from '@tanstack/react-query';
import { useApi, useChange } from '../../../api/index.ts';
import { securityKey } from '../use-security.ts';

/** Part of `securityKey`, because what ends the trust of browsers changes the security settings, too. */
const trustedBrowsersKey = [...securityKey, 'trusted-browsers'];

export function useTrustedBrowsers() {
  const { call } = useApi();
  return useQuery({
    queryKey: trustedBrowsersKey,
    queryFn: ({ signal }) => call('GET /api/user/trusted_browsers/', { signal }),
    refetchOnWindowFocus: true,
  });
}

export function useRemoveTrustedBrowser() {
  return useChange([trustedBrowsersKey], (call, id: number) =>
    call('DELETE /api/user/trusted_browsers/{id}/', { params: { id } }),
  );
}
