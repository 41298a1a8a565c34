import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { errorText } from '../../api/index.ts';
import { LoadFailure } from '../../ui/page/load-failure.tsx';

type LoadedProps<Content> = {
  query: { data: Content | undefined; error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> };
  /** What could not be loaded. */
  failed: string;
  children: (content: Content) => ReactNode;
};

/** A query's data; before that its loading state or its failure. */
export function Loaded<Content>({ query, failed, children }: LoadedProps<Content>) {
  const { data, error } = query;
  if (data !== undefined) return children(data);
  if (!error) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  return <LoadFailure title={failed} text={errorText(error)} query={query} />;
}
