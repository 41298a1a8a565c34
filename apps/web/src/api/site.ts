import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Api, useApi } from './api-context.ts';

export function siteConfigQuery(api: Api) {
  return queryOptions({
    queryKey: ['site', 'config'],
    queryFn: ({ signal }) => api.call('GET /api/site/config/', { signal }),
    staleTime: 10 * 60_000,
  });
}

/** For components that show loading and failure differently. */
export function useSiteConfigQuery() {
  return useQuery(siteConfigQuery(useApi()));
}

export function useSiteConfig() {
  return useSiteConfigQuery().data;
}
