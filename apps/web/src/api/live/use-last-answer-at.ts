import { useQueryClient } from '@tanstack/react-query';

/** When the server last answered a query, as an ISO time; undefined before the first answer. */
export function useLastAnswerAt(): string | undefined {
  const queries = useQueryClient().getQueryCache().getAll();
  const lastMs = Math.max(0, ...queries.map(({ state }) => state.dataUpdatedAt));
  return lastMs === 0 ? undefined : new Date(lastMs).toISOString();
}
