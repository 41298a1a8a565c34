import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnnouncementBody } from '@tongtu/contract';
import { useApi } from '../../api/index.ts';

const queryKey = ['announcements', 'managed'];
/** The latest ones; an installation has a handful a year. */
const LIMIT = 200;

export function useManagedAnnouncements() {
  const api = useApi();
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => api.call('GET /api/announcement/manage/', { query: { limit: LIMIT }, signal }),
    select: ({ results }) => results,
  });
}

/** Everybody's list is another one now, too. */
function useReload() {
  const queryClient = useQueryClient();
  return async () => await queryClient.invalidateQueries({ queryKey: ['announcements'] });
}

/** Writes a new announcement, or the one with the id anew. */
export function useSaveAnnouncement(id: number | undefined) {
  const { call } = useApi();
  return useMutation({
    mutationFn: async (body: AnnouncementBody) =>
      id === undefined
        ? await call('POST /api/announcement/manage/', { body })
        : await call('PATCH /api/announcement/manage/{id}/', { params: { id }, body }),
    onSuccess: useReload(),
  });
}

export function useRemoveAnnouncement() {
  const { call } = useApi();
  return useMutation({
    mutationFn: async (id: number) => await call('DELETE /api/announcement/manage/{id}/', { params: { id } }),
    onSuccess: useReload(),
  });
}
