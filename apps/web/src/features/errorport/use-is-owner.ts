import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';

/** True when the device behind the address is the caller's: only then is there something to diagnose. */
export function useIsOwner(domain: string, isKnown: boolean): boolean {
  const { call } = useApi();
  const { isSuccess } = useQuery({
    queryKey: ['domain-owner', domain],
    queryFn: ({ signal }) => call('GET /custom/router_info/', { query: { domain }, signal }),
    enabled: isKnown,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return isSuccess;
}
