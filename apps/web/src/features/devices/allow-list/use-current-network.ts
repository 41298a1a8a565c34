import { useQuery } from '@tanstack/react-query';
import { devicesKey, useApi, useChange } from '../../../api/index.ts';

/** A browser moves from one network to another without an event. */
const pollEveryMs = 60_000;
const networkKey = [...devicesKey, 'current-network'];

/** Which mappings the network that this browser is in may open by its address. */
export function useCurrentNetwork() {
  const { call } = useApi();
  return useQuery({
    queryKey: networkKey,
    queryFn: ({ signal }) => call('GET /api/user/current_network/', { signal }),
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}

/** Lets the network that this browser is in pass a mapping. */
export function useAllowNetwork() {
  return useChange([networkKey], (call, id: number) =>
    call('POST /api/user/records/{id}/verified_ip/', { params: { id } }),
  );
}

/** Ends a verification of this network at once. */
export function useRevokeNetwork() {
  return useChange([networkKey], (call, id: number) =>
    call('DELETE /api/user/verifications/{id}/', { params: { id } }),
  );
}
