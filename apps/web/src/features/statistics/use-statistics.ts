import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi, useChange } from '../../api/index.ts';
import { type PeriodUnit, type Scope, scopeQuery } from './statistics-view.ts';

const refetchEveryMs = 60_000;
const liveEveryMs = 2_000;
const exportTimeoutMs = 60_000;

export type Period = Scope & { unit: PeriodUnit; points: number; until: string | undefined };

const queryOf = ({ unit, points, until, ...scope }: Period) => ({
  ...{ unit, points },
  ...(until !== undefined && { until }),
  ...scopeQuery(scope),
});

export function useStatistics(period: Period) {
  const { call } = useApi();
  const query = queryOf(period);
  return useQuery({
    queryKey: ['statistics', query],
    queryFn: ({ signal }) => call('GET /api/user/statistics/', { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchEveryMs,
  });
}

/** The last five minutes, as long as the part that uses it is shown in a visible tab. */
export function useLiveStatistics(scope: Scope) {
  const { call } = useApi();
  const query = scopeQuery(scope);
  return useQuery({
    queryKey: ['statistics', 'live', query],
    queryFn: ({ signal }) => call('GET /api/user/statistics/live/', { query, signal }),
    refetchInterval: liveEveryMs,
    gcTime: 0,
  });
}

export function useExportStatistics() {
  return useChange([], (call, period: Period) =>
    call('GET /api/user/statistics/export/', { query: queryOf(period), timeoutMs: exportTimeoutMs }),
  );
}
