import { useQuery } from '@tanstack/react-query';
import { errorCode, useApi, useChange } from '../../../api/index.ts';

const sharedWithMeKey = ['shared_with_me'];
const pollEveryMs = 10_000;

/** The live stream reports changes of memberships; the states of the devices of others are polled. */
export function useSharedWithMe() {
  const { call } = useApi();
  return useQuery({
    queryKey: sharedWithMeKey,
    queryFn: ({ signal }) => call('GET /api/user/shared_with_me/', { signal }),
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
  });
}

export function usePinMembership() {
  return useChange([sharedWithMeKey], (call, input: { id: number; pinned: boolean }) =>
    call('PATCH /api/user/shared_with_me/{id}/', { params: { id: input.id }, body: { pinned: input.pinned } }),
  );
}

/** Leaves a mapping. It revokes at once what the user was let in for as its member. */
export function useLeave() {
  return useChange([sharedWithMeKey], async (call, id: number) => {
    try {
      await call('DELETE /api/user/shared_with_me/{id}/', { params: { id } });
    } catch (error) {
      // The owner has removed the member already, so the result is the same.
      if (errorCode(error) !== 'member.not-found') throw error;
    }
  });
}
