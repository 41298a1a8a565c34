import { queryOptions } from '@tanstack/react-query';
import type { Api } from './api-context.ts';

/** Whatever lies below this key is renewed when something about alerts was changed. */
export const alertsKey = ['alerts'];

/** How long a device may be away, and the ways by which its owner is told. */
export function alertSettingsQuery(api: Api) {
  return queryOptions({
    queryKey: [...alertsKey, 'settings'],
    queryFn: ({ signal }) => api.call('GET /api/user/alerts/', { signal }),
    staleTime: 10_000,
  });
}
