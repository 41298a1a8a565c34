import { useQuery } from '@tanstack/react-query';
import type { FirstSteps, RequestBody } from '@tongtu/contract';
import { hasRole } from '@tongtu/contract/roles';
import { useApi, useChange, useProfile } from '../../../api/index.ts';

const queryKey = ['first-steps'];

/** The first administrator's steps, until all are done or they are dismissed; null then, no data for everybody else. */
export function useShownFirstSteps() {
  const { call } = useApi();
  const profile = useProfile();
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call('GET /api/manage/first_steps/', { signal }),
    enabled: profile !== undefined && hasRole(profile, 'superuser'),
    select: (steps) => (isShown(steps) ? steps : null),
    // What is done on other screens shows when this one is opened again.
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

function isShown({ is_shown, password, second_factor, alert, domain, backup }: FirstSteps): boolean {
  return is_shown && !(password && second_factor && alert && domain && backup);
}

export function useNoteFirstSteps() {
  return useChange([queryKey], (call, body: RequestBody<'PATCH /api/manage/first_steps/'>) =>
    call('PATCH /api/manage/first_steps/', { body }),
  );
}
