import { Button, Skeleton, Tabs } from 'antd';
import { useCallback } from 'react';
import { Link, useSearchParams } from 'react-router';
import { errorText, useDevices } from '../../api/index.ts';
import { paths } from '../../routing/paths.ts';
import { recordsText } from '../../text/records.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { Pages } from '../../ui/page/pages.tsx';
import {
  isFiltered,
  pageSize,
  readFilters,
  type RecordFilters,
  recordViews,
  viewOf,
  writeFilters,
} from './record-filters.ts';
import { RecordList } from './record-list.tsx';
import { RecordToolbar } from './record-toolbar.tsx';
import { RefusedList } from './refused-list.tsx';
import styles from './records.module.css';
import { useDeletedMappings, useRecords, useRefusedVisits } from './use-records.ts';

/** The filters are in the address, so they survive a reload and can be bookmarked. */
function useFilters() {
  const [query, setQuery] = useSearchParams();
  const change = useCallback(
    (changes: Partial<RecordFilters>, { isNewPlace }: { isNewPlace: boolean }) =>
      setQuery((current) => writeFilters({ ...readFilters(current), page: 1, ...changes }), { replace: !isNewPlace }),
    [setQuery],
  );
  const clear = () =>
    setQuery((current) => writeFilters({ ...readFilters(new URLSearchParams()), view: readFilters(current).view }), {
      replace: true,
    });
  return { filters: readFilters(query), change, clear };
}

type NothingProps = { filters: RecordFilters; count: number; onClear: () => void; onFirstPage: () => void };

function Nothing({ filters, count, onClear, onFirstPage }: NothingProps) {
  if (count === 0 && !isFiltered(filters)) {
    const { title, text } = recordsText.empty[filters.view];
    return <EmptyState title={title} text={text} action={<Link to={paths.devices}>{recordsText.toDevices}</Link>} />;
  }
  const isPastEnd = count > 0;
  return (
    <div className={styles.nothing} aria-live="polite">
      {isPastEnd ? recordsText.beyondTheEnd : recordsText.noMatch}
      <Button type="link" onClick={isPastEnd ? onFirstPage : onClear}>
        {isPastEnd ? recordsText.firstPage : recordsText.clearFilters}
      </Button>
    </div>
  );
}

const views = recordViews.map((view) => ({ key: view, label: recordsText.view[view] }));

type ViewsProps = { filters: RecordFilters; onChange: (change: Partial<RecordFilters>) => void };

/** What only verifications are filtered by is dropped; device, mapping and search stay. */
function Views({ filters, onChange }: ViewsProps) {
  return (
    <Tabs
      items={views}
      activeKey={filters.view}
      className={styles.views ?? ''}
      onChange={(key) => onChange({ view: viewOf(key), state: undefined, ground: undefined })}
    />
  );
}

/** All verifications of the visitors of the user's mappings, and the visits that were refused. */
export function RecordsPage() {
  const { filters, change, clear } = useFilters();
  const { data: devices } = useDevices();
  const { data: deleted } = useDeletedMappings();
  const admitted = useRecords(filters);
  const refused = useRefusedVisits(filters);
  const query = filters.view === 'refused' ? refused : admitted;
  const { data, error, isPlaceholderData } = query;
  const onFilter = useCallback((changes: Partial<RecordFilters>) => change(changes, { isNewPlace: false }), [change]);
  const toPage = (page: number) => change({ page }, { isNewPlace: true });
  return (
    <div className={styles.page}>
      <div className={styles.pageHead}>
        <h1>{recordsText.title}</h1>
        {data && <span className={styles.quiet}>{recordsText.count(data.count)}</span>}
      </div>
      <Views filters={filters} onChange={(changes) => change(changes, { isNewPlace: true })} />
      <p className={styles.lead}>{recordsText.hint[filters.view]}</p>
      <RecordToolbar filters={filters} devices={devices} deleted={deleted} onChange={onFilter} />
      {error && (
        <LoadFailure
          title={recordsText.failed}
          text={errorText(error)}
          query={query}
          more={isFiltered(filters) && <Button onClick={clear}>{recordsText.clearFilters}</Button>}
        />
      )}
      {!error && !data && (
        <section className={`${styles.panel} ${styles.skeleton}`} aria-busy="true">
          <Skeleton active title={false} paragraph={{ rows: 8 }} />
        </section>
      )}
      {data && !(error && isPlaceholderData) && (
        <section className={styles.panel} aria-label={recordsText.title} aria-busy={isPlaceholderData}>
          {data.results.length === 0 && (
            <Nothing filters={filters} count={data.count} onClear={clear} onFirstPage={() => toPage(1)} />
          )}
          {query === admitted && admitted.data && admitted.data.results.length > 0 && (
            <RecordList records={admitted.data.results} devices={devices} />
          )}
          {query === refused && refused.data && refused.data.results.length > 0 && (
            <RefusedList visits={refused.data.results} />
          )}
        </section>
      )}
      <Pages label={recordsText.pages} page={filters.page} pageSize={pageSize} count={data?.count} onChange={toPage} />
    </div>
  );
}
