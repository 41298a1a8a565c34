import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Fetches anew what lies below this key and is shown. What is being fetched at the moment is let finish, and fetched once
 * more then: a long list that began anew with each piece of news would never come to its end.
 */
export async function refetchChanged(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const isUnderWay = queryClient.isFetching({ queryKey }) > 0;
  await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
  if (isUnderWay) await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
}
