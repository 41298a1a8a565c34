import { useQuery } from '@tanstack/react-query';
import { devicesKey, useApi, useChange } from '../../../api/index.ts';

/** The device that waits with this code. */
export function useWaitingDevice(code: string) {
  const { call } = useApi();
  return useQuery({
    queryKey: ['binding', code],
    queryFn: ({ signal }) => call('GET /api/user/binding/', { query: { code }, signal }),
    gcTime: 0,
    // Not fetched again, so that the user confirms the device that was shown.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Adds the device that waits with a code, by a binding proof of this account. */
export function useConfirmBinding() {
  return useChange([devicesKey], async (call, code: string) => {
    const { token_id, sign } = await call('GET /api/user/token-sign/');
    return await call('POST /api/user/binding/', { body: { code, token_id, sign } });
  });
}
