import { useQuery } from '@tanstack/react-query';
import type { FirstSteps, RequestBody } from '@tongtu/contract';
import { hasRole } from '@tongtu/contract/roles';
import { useApi, useChange, useProfile } from '../../../api/index.ts';

const queryKey = ['first-steps'];

/** The first administrator's tasks; null once all are done or dismissed, undefined for other users. */
export function useShownFirstSteps() {
  const { call } = useApi();
  const profile = useProfile();
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call('GET /api/manage/first_steps/', { signal }),
    enabled: profile !== undefined && hasRole(profile, 'superuser'),
    select: (steps) => (isShown(steps) ? steps : null),
    // Tasks are done on other screens, so the list is loaded again each time.
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
