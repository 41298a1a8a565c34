import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Fetches anew what lies below this key and is shown. What is being fetched at the moment is let finish, and fetched once
 * more then: a long list that began anew with each piece of news would never come to its end.
 */
export async function refetchChanged(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const underWay = new Set(queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }));
  await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
  // Only those: what was idle is as new as the news already.
  const predicate = (query: Query) => underWay.has(query);
  if (underWay.size > 0) await queryClient.invalidateQueries({ queryKey, predicate }, { cancelRefetch: false });
}
