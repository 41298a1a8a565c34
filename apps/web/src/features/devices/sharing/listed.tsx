import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { errorText } from '../../../api/index.ts';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import styles from './sharing.module.css';

type ListedProps<Item> = {
  query: { data: Item[] | undefined; error: unknown; isFetching: boolean; refetch: () => Promise<unknown> };
  /** The texts for a list that could not be loaded, and for an empty one. */
  failed: string;
  empty: string;
  renderItem: (item: Item) => ReactNode;
};

/** A list from the server in all its states: loading, failed, empty or loaded. */
export function Listed<Item>({ query, failed, empty, renderItem }: ListedProps<Item>) {
  const { data, error } = query;
  if (data === undefined) {
    if (!error) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
    return <LoadFailure title={failed} text={errorText(error)} query={query} />;
  }
  if (data.length === 0) return <p className={styles.empty}>{empty}</p>;
  return <ul className={styles.list}>{data.map(renderItem)}</ul>;
}
