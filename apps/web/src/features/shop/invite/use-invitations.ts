import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RequestBody } from '@tongtu/contract';
import { devicesKey, useApi, useChange } from '../../../api/index.ts';
import { ordersKey } from '../use-orders.ts';

const invitationsKey = ['invitations'];
export const pageSize = 20;

export function useInvitationAff() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...invitationsKey, 'aff'],
    queryFn: ({ signal }) => call('GET /api/marketing/invitation_aff/', { signal }),
    refetchOnWindowFocus: true,
  });
}

export function useRewards(page: number) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...invitationsKey, 'rewards', page],
    queryFn: ({ signal }) =>
      call('GET /api/marketing/invitation_rewards/', {
        query: { limit: pageSize, offset: (page - 1) * pageSize },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

/** Plans and keys change with it. */
export function useClaimReward() {
  return useChange(
    [invitationsKey, ordersKey, devicesKey],
    (call, body: RequestBody<'POST /api/marketing/invitation_rewards/'>) =>
      call('POST /api/marketing/invitation_rewards/', { body }),
  );
}

export function useBindInvitation() {
  return useChange([invitationsKey], (call, code: string) =>
    call('POST /api/marketing/bind_invitation/', { body: { code } }),
  );
}
