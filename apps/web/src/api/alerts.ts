import { queryOptions } from '@tanstack/react-query';
import type { Api } from './api-context.ts';

/** Every query about alerts has a key below this one. A change of alerts refetches them all. */
export const alertsKey = ['alerts'];

/** The alert channels, and after how many minutes offline a device causes an alert. */
export function alertSettingsQuery(api: Api) {
  return queryOptions({
    queryKey: [...alertsKey, 'settings'],
    queryFn: ({ signal }) => api.call('GET /api/user/alerts/', { signal }),
    staleTime: 10_000,
  });
}
