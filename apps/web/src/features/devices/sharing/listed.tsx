import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { errorText } from '../../../api/index.ts';
import { LoadFailure } from '../../../ui/load-failure.tsx';
import styles from './sharing.module.css';

type ListedProps<Item> = {
  query: { data: Item[] | undefined; error: unknown; isFetching: boolean; refetch: () => Promise<unknown> };
  /** What to say of a list that cannot be had, and of one with nothing in it. */
  failed: string;
  empty: string;
  renderItem: (item: Item) => ReactNode;
};

/** A list of the server's: on its way, missing, empty or there. */
export function Listed<Item>({ query, failed, empty, renderItem }: ListedProps<Item>) {
  const { data, error } = query;
  if (data === undefined) {
    if (!error) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
    return <LoadFailure title={failed} text={errorText(error)} query={query} />;
  }
  if (data.length === 0) return <p className={styles.empty}>{empty}</p>;
  return <ul className={styles.list}>{data.map(renderItem)}</ul>;
}
