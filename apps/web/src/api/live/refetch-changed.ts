import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Refetches the active queries below this key. A query that is already fetching first finishes and then fetches once
 * more: restarting a long list at each event would never complete it.
 */
export async function refetchChanged(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const underWay = new Set(queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }));
  await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
  // Idle queries have just been refetched.
  const predicate = (query: Query) => underWay.has(query);
  if (underWay.size > 0) await queryClient.invalidateQueries({ queryKey, predicate }, { cancelRefetch: false });
}
