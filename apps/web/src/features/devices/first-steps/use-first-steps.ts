import { useQuery } from '@tanstack/react-query';
import type { FirstSteps, RequestBody } from '@tongtu/contract';
import { hasRole } from '@tongtu/contract/roles';
import { useApi, useChange, useProfile } from '../../../api/index.ts';

const queryKey = ['first-steps'];

/** The first administrator's tasks, until all are done or they are dismissed; undefined for other users. */
export function useShownFirstSteps(): FirstSteps | undefined {
  const { call } = useApi();
  const profile = useProfile();
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('GET /api/manage/first_steps/', { signal }),
    enabled: profile !== undefined && hasRole(profile, 'superuser'),
    // Tasks are done on other screens, so the list is loaded again each time.
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  if (!data?.is_shown) return undefined;
  const isDone = data.password && data.second_factor && data.alert && data.domain && data.backup;
  return isDone ? undefined : data;
}

export function useNoteFirstSteps() {
  return useChange([queryKey], (call, body: RequestBody<'PATCH /api/manage/first_steps/'>) =>
    call('PATCH /api/manage/first_steps/', { body }),
  );
}
