import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnnouncementBody, ManagedAnnouncement } from '@tongtu/contract';
import { type Api, useApi } from '../../api/index.ts';

type SeenAnnouncement = Pick<ManagedAnnouncement, 'id' | 'revision'>;

const queryKey = ['announcements', 'managed'];
/** One page is enough: an installation has a handful of announcements a year. */
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

/** The server's current version of the announcement; null when it was deleted. */
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

/** Also refetches the list that all users see. */
function useReload() {
  const queryClient = useQueryClient();
  return async () => await queryClient.invalidateQueries({ queryKey: ['announcements'] });
}

/** Creates an announcement, or saves `seen` again if nobody has changed it since. */
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
