import { useQuery } from '@tanstack/react-query';
import type { ManagedSiteEntry, SiteEntryCreate } from '@tongtu/contract';
import { useApi, useChange } from '../../../api/index.ts';

/** Also what users see of them. */
const changed = [['site-entries']];

export function useSiteEntries() {
  const { call } = useApi();
  return useQuery({
    queryKey: ['site-entries', 'managed'],
    queryFn: ({ signal }) => call('GET /api/manage/site_entries/', { signal }),
    refetchOnWindowFocus: true,
  });
}

/** Creates an entry, or saves `seen` again if nobody has changed it since. */
export function useSaveSiteEntry(seen: ManagedSiteEntry | undefined) {
  return useChange(changed, (call, { kind, ...body }: SiteEntryCreate) =>
    seen === undefined
      ? call('POST /api/manage/site_entries/', { body: { kind, ...body } })
      : call('PATCH /api/manage/site_entries/{id}/', {
          params: { id: seen.id },
          body: { ...body, revision: seen.revision },
        }),
  );
}

export function useRemoveSiteEntry(id: number) {
  return useChange(changed, (call) => call('DELETE /api/manage/site_entries/{id}/', { params: { id } }));
}
