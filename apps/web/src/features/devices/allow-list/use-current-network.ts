import { useQuery } from '@tanstack/react-query';
import { devicesKey, useApi, useChange } from '../../../api/index.ts';

/** There is no event when a browser changes its network, so the answer is soon stale. */
const pollEveryMs = 60_000;
const networkKey = [...devicesKey, 'current-network'];

/** The mappings for which the browser's network is a verified address. */
export function useCurrentNetwork() {
  const { call } = useApi();
  return useQuery({
    queryKey: networkKey,
    queryFn: ({ signal }) => call('GET /api/user/current_network/', { signal }),
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}

/** Verifies the address of the browser's network for a mapping. */
export function useAllowNetwork() {
  return useChange([networkKey], (call, id: number) =>
    call('POST /api/user/records/{id}/verified_ip/', { params: { id } }),
  );
}

/** Revokes that verification at once. */
export function useRevokeNetwork() {
  return useChange([networkKey], (call, id: number) =>
    call('DELETE /api/user/verifications/{id}/', { params: { id } }),
  );
}
