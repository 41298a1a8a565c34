import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RequestQuery } from '@tongtu/contract';
import { useApi } from '../../../api/index.ts';

export function useAudit(query: RequestQuery<'GET /api/manage/audit/'>) {
  const { call } = useApi();
  return useQuery({
    queryKey: ['manage', 'audit', query],
    queryFn: ({ signal }) => call('GET /api/manage/audit/', { query, signal }),
    placeholderData: keepPreviousData,
    // Each other screen of the management adds to it.
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
  });
}
