import { queryOptions, type QueryClient, useQuery } from '@tanstack/react-query';
import type { Profile } from '@tongtu/contract';
import { type Api, useApi } from './api-context.ts';

/** Specification §9. */
const profileTimeoutMs = 5000;

/** The current user, or null. The reply is a list; its first item is the user (specification §7). */
export function profileQuery(api: Api) {
  return queryOptions<Profile | null>({
    queryKey: ['profile'],
    queryFn: async ({ signal }) => {
      const profiles = await api.call('GET /api/profile/', { signal, timeoutMs: profileTimeoutMs });
      return profiles[0] ?? null;
    },
    staleTime: 60_000,
    // Route guards wait for this query, so a network failure shows at once, with a button to retry.
    retry: false,
  });
}

/** True when the token is non-empty and the id is greater than 0 (specification §4). */
export function isLoggedIn(profile: Profile | null | undefined): profile is Profile {
  return profile !== null && profile !== undefined && profile.token !== '' && profile.id > 0;
}

/** Queries that are the same for all users, by the first part of their key. */
const publicQueries = ['site', 'announcements'];

/** Removes everything that belongs to the last user, so that the next user does not see it. */
export function forgetUser(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: (query) => !publicQueries.includes(String(query.queryKey[0])) });
}

export function useProfile() {
  const { data } = useQuery(profileQuery(useApi()));
  return data ?? undefined;
}
