import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { VisitList } from '@tongtu/contract';
import { devicesKey, useApi, useChange } from '../../api/index.ts';
import { queryOf, type VisitFilters } from './visit-filters.ts';

const pageSize = 50;
const followEveryMs = 2_000;
const followLimit = 100;
/** The most visits on the page while it follows the log; older ones can be loaded again. */
const maxFollowed = 500;
const exportTimeoutMs = 120_000;

const visitsKey = (id: number) => ['visits', id];

/** The visits that match, the latest first; older ones on demand. */
export function useVisits(id: number, filters: VisitFilters) {
  const { call } = useApi();
  const query = queryOf(filters);
  return useInfiniteQuery({
    queryKey: [...visitsKey(id), 'list', query],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await call('GET /api/user/records/{id}/visits/', {
        params: { id },
        query: { ...query, limit: pageSize, ...(pageParam !== undefined && { before: pageParam }) },
        signal,
      }),
    getNextPageParam: (last) => (last.has_more ? last.results.at(-1)?.id : undefined),
    // New visits are added by useNewVisits.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

type Pages = InfiniteData<VisitList>;

/** While it is on, asks for visits after the latest that is shown, and puts them before it. */
export function useNewVisits(
  id: number,
  filters: VisitFilters,
  { data, isOn }: { data: Pages | undefined; isOn: boolean },
) {
  const { call } = useApi();
  const queryClient = useQueryClient();
  const query = queryOf(filters);
  const latestId = data?.pages[0]?.results[0]?.id ?? 0;
  return useQuery({
    queryKey: [...visitsKey(id), 'new', query],
    enabled: isOn && data !== undefined && (data.pages[0]?.visit_log_days ?? 0) > 0,
    refetchInterval: followEveryMs,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const listKey = [...visitsKey(id), 'list', query];
      const added = await call('GET /api/user/records/{id}/visits/', {
        params: { id },
        query: { ...query, limit: followLimit, after: latestId },
        signal,
      });
      // More than fit into one answer: there would be a gap, so the list begins anew.
      if (added.has_more) queryClient.setQueryData<Pages>(listKey, { pages: [added], pageParams: [undefined] });
      else queryClient.setQueryData<Pages>(listKey, (pages) => pages && putBefore(pages, added));
      return added.results.length;
    },
  });
}

/** The pages with the new visits. With too many of them it is one page, which ends early. */
export function putBefore(data: Pages, added: VisitList): Pages {
  const [first, ...rest] = data.pages;
  if (first === undefined) return data;
  const latestId = first.results[0]?.id ?? 0;
  // Another answer may have brought some of them meanwhile.
  const results = [...added.results.filter((visit) => visit.id > latestId), ...first.results];
  const page = { ...first, results, unrecorded: added.unrecorded };
  const all = [page, ...rest].flatMap((each) => each.results);
  if (all.length <= maxFollowed) return { ...data, pages: [page, ...rest] };
  return { pages: [{ ...page, results: all.slice(0, maxFollowed), has_more: true }], pageParams: [undefined] };
}

export function useSetVisitLog(id: number) {
  return useChange([visitsKey(id), devicesKey], (call, days: 0 | 1 | 7 | 30) =>
    call('PATCH /api/user/records/{id}/', { params: { id }, body: { visit_log_days: days } }),
  );
}

export function useClearVisits(id: number) {
  return useChange([visitsKey(id)], (call) => call('DELETE /api/user/records/{id}/visits/', { params: { id } }));
}

export function useExportVisits(id: number) {
  return useChange([], (call, filters: VisitFilters) =>
    call('GET /api/user/records/{id}/visits/export/', {
      params: { id },
      query: queryOf(filters),
      timeoutMs: exportTimeoutMs,
    }),
  );
}
