import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/index.ts';

/** True when the user owns the device behind the address; only then can it be diagnosed. */
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
