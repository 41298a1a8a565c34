import { SearchOutlined } from '@ant-design/icons';
import { Input, Skeleton } from 'antd';
import { MAX_SEARCH_LENGTH } from '@tongtu/contract/limits';
import { type ReactNode, useEffect } from 'react';
import { errorText } from '../../../api/index.ts';
import { managedListText } from '../../../text/management/frame.ts';
import { useSearchDraft } from '../../../ui/fields/use-search-draft.ts';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import { Pages } from '../../../ui/page/pages.tsx';
import styles from '../manage.module.css';
import frameStyles from './frame.module.css';

export const pageSize = 50;

type Page<Row> = { count: number; results: Row[] };
type Query<Row> = {
  data: Page<Row> | undefined;
  error: Error | null;
  isFetching: boolean;
  isPlaceholderData: boolean;
  refetch: () => Promise<unknown>;
};

type ManagedListProps<Row> = {
  title: string;
  failed: string;
  none?: string;
  count: (count: number) => string;
  query: Query<Row>;
  page: number;
  onPage: (page: number) => void;
  search?: { label: string; value: string; onChange: (text: string) => void };
  filters?: ReactNode;
  children: (row: Row) => ReactNode;
};

/** One page of a list, with its search, filters, and what is shown without rows. */
export function ManagedList<Row>(props: ManagedListProps<Row>) {
  const { title, failed, none = managedListText.none, query, page, onPage, search, filters, children } = props;
  const { data, error, isPlaceholderData } = query;
  const lastPage = Math.max(1, Math.ceil((data?.count ?? 0) / pageSize));
  // What was on the last page was deleted, or does not match any more.
  const isPastEnd = data !== undefined && !isPlaceholderData && page > lastPage;
  // The page is a state of the component around this one, which must not change while this one is rendered.
  useEffect(() => {
    if (isPastEnd) onPage(lastPage);
  }, [isPastEnd, lastPage, onPage]);
  return (
    <section className={styles.panel} aria-label={title} aria-busy={isPlaceholderData}>
      <div className={styles.toolbar} role="search" aria-label={title}>
        <div className={frameStyles.filters}>
          {search && <SearchField {...search} />}
          {filters}
        </div>
        {data && <span className={styles.count}>{props.count(data.count)}</span>}
      </div>
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {!data && error && <LoadFailure title={failed} text={errorText(error)} query={query} />}
      {data?.count === 0 && <p className={styles.none}>{none}</p>}
      <ul className={styles.list}>{data?.results.map(children)}</ul>
      <Pages
        label={managedListText.pages(title)}
        page={page}
        pageSize={pageSize}
        count={data?.count}
        onChange={onPage}
      />
    </section>
  );
}

function SearchField({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  const { typed, setTyped, composition } = useSearchDraft(value, onChange);
  return (
    <Input
      allowClear
      prefix={<SearchOutlined aria-hidden />}
      placeholder={label}
      aria-label={label}
      value={typed}
      maxLength={MAX_SEARCH_LENGTH}
      onChange={(event) => setTyped(event.target.value)}
      {...composition}
      className={styles.search ?? ''}
    />
  );
}
