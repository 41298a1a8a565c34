import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { errorText } from '../../api/index.ts';
import { usersText } from '../../text/account/users.ts';
import { LoadFailure } from '../../ui/page/load-failure.tsx';

type LoadedProps<Content> = {
  query: { data: Content | undefined; error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> };
  children: (content: Content) => ReactNode;
};

/** Shows a query's data; before that its loading state or its failure. */
export function Loaded<Content>({ query, children }: LoadedProps<Content>) {
  const { data, error } = query;
  if (data !== undefined) return children(data);
  if (!error) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  return <LoadFailure title={usersText.loadFailed} text={errorText(error)} query={query} />;
}
