import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Profile } from '@tongtu/contract';
import { type Api, retryTransient, useApi } from '../../api/index.ts';

export function announcementsQuery(api: Api, timeoutMs?: number) {
  return queryOptions({
    queryKey: ['announcements'],
    queryFn: ({ signal }) =>
      api.call('GET /api/announcement/announcements/', { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
    staleTime: 5 * 60_000,
  });
}

/** Empty while unknown: a failure to load announcements is ignored (specification §7). */
export function useAnnouncements() {
  return useQuery(announcementsQuery(useApi())).data ?? [];
}

export function useMarkAnnouncementsRead() {
  const { call } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: { profile: Profile; lastId: number }) =>
      call('PATCH /api/profile/{id}/', {
        params: { id: input.profile.id },
        body: { readed_announcement_id: input.lastId },
      }),
    retry: retryTransient,
    onSuccess: (profile) => queryClient.setQueryData(['profile'], profile),
  });
}
