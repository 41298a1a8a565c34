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
    // A guard waits for this one: say at once that the server is away and let the person retry.
    retry: false,
  });
}

/** Specification §4: the token is non-empty and the id is greater than 0. */
export function isLoggedIn(profile: Profile | null | undefined): profile is Profile {
  return profile !== null && profile !== undefined && profile.token !== '' && profile.id > 0;
}

/** What is the same for everybody, by the first part of its key. */
const publicQueries = ['site', 'announcements'];

/** Forgets everything of the user who was here, so that nothing of it shows for the next. */
export function forgetUser(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: (query) => !publicQueries.includes(String(query.queryKey[0])) });
}

export function useProfile() {
  const { data } = useQuery(profileQuery(useApi()));
  return data ?? undefined;
}
