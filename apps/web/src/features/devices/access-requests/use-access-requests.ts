import { useQuery } from '@tanstack/react-query';
import { useApi, useChange } from '../../../api/index.ts';

/** The first part is the topic of the live stream. */
const requestsKey = ['verifications', 'access-requests'];
const membersKey = ['verifications', 'members'];

/** The pending access requests to this user. */
export function useAccessRequests() {
  const { call } = useApi();
  return useQuery({
    queryKey: requestsKey,
    queryFn: ({ signal }) => call('GET /api/user/access_requests/', { signal }),
  });
}

export function useAllowRequest() {
  return useChange([requestsKey, membersKey], (call, { id, hours }: { id: number; hours: number | null }) =>
    call('POST /api/user/access_requests/{id}/allow/', { params: { id }, body: { valid_hours: hours } }),
  );
}

export function useRefuseRequest() {
  return useChange([requestsKey], (call, id: number) =>
    call('DELETE /api/user/access_requests/{id}/', { params: { id } }),
  );
}
