import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnnouncementBody, ManagedAnnouncement } from '@tongtu/contract';
import { type Api, useApi } from '../../api/index.ts';

type SeenAnnouncement = Pick<ManagedAnnouncement, 'id' | 'revision'>;

const queryKey = ['announcements', 'managed'];
/** The latest ones; an installation has a handful a year. */
const LIMIT = 200;

function managedQuery(api: Api) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => api.call('GET /api/announcement/manage/', { query: { limit: LIMIT }, signal }),
  });
}

export function useManagedAnnouncements() {
  return useQuery({ ...managedQuery(useApi()), select: ({ results }) => results });
}

/** The announcement as the server has it now; null when it is gone. */
export function useFindAnnouncement() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) => {
      const { results } = await queryClient.fetchQuery({ ...managedQuery(api), staleTime: 0 });
      return results.find((announcement) => announcement.id === id) ?? null;
    },
  });
}

/** Everybody's list is another one now, too. */
function useReload() {
  const queryClient = useQueryClient();
  return async () => await queryClient.invalidateQueries({ queryKey: ['announcements'] });
}

/** Writes a new announcement, or anew the one that was `seen`, as long as it still is as it was then. */
export function useSaveAnnouncement() {
  const { call } = useApi();
  return useMutation({
    mutationFn: async ({ body, seen }: { body: AnnouncementBody; seen: SeenAnnouncement | undefined }) =>
      seen === undefined
        ? await call('POST /api/announcement/manage/', { body })
        : await call('PATCH /api/announcement/manage/{id}/', {
            params: { id: seen.id },
            body: { ...body, revision: seen.revision },
          }),
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
