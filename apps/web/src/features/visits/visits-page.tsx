import { ArrowLeftOutlined } from '@ant-design/icons';
import { Alert, Button, Skeleton } from 'antd';
import type { VisitList } from '@tongtu/contract';
import { useCallback, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { errorText } from '../../api/index.ts';
import { paths, statisticsPath } from '../../routing/paths.ts';
import { visitsText } from '../../text/visits.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { useMutationToast } from '../confirm/use-mutation-toast.ts';
import { useNewVisits, useSetVisitLog, useVisits } from './use-visits.ts';
import { VisitActions } from './visit-actions.tsx';
import { isFiltered, readFilters, type VisitFilters, writeFilters } from './visit-filters.ts';
import { VisitRows } from './visit-list.tsx';
import { VisitToolbar } from './visit-toolbar.tsx';
import styles from './visits.module.css';

const defaultDays = 7;
/** The greatest id that the server takes. */
const maxId = 2_147_483_647;

/** The filters are in the address, so they survive a reload and can be bookmarked. */
function useFilters() {
  const [query, setQuery] = useSearchParams();
  const change = useCallback(
    (changes: Partial<VisitFilters>) =>
      setQuery((current) => writeFilters({ ...readFilters(current), ...changes }), { replace: true }),
    [setQuery],
  );
  const clear = () => setQuery(new URLSearchParams(), { replace: true });
  return { filters: readFilters(query), change, clear };
}

/** The visitor log of one mapping. */
export function VisitsPage() {
  const { id = '' } = useParams();
  const mappingId = /^[1-9]\d{0,9}$/.test(id) ? Math.min(Number(id), maxId) : maxId;
  return <VisitLog key={mappingId} id={mappingId} />;
}

function VisitLog({ id }: { id: number }) {
  const { filters, change, clear } = useFilters();
  const [isLive, setIsLive] = useState(true);
  const query = useVisits(id, filters);
  const [shown, setShown] = useState<VisitList>();
  const { data, error } = query;
  const list = data?.pages[0];
  // Name and switches stay while another filter loads.
  if (list !== undefined && list !== shown) setShown(list);
  const newer = useNewVisits(id, filters, { data, isOn: isLive });
  const head = list ?? shown;
  const isOn = head !== undefined && head.visit_log_days > 0;
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.title}>
          <span className={styles.links}>
            <Link to={paths.devices}>
              <ArrowLeftOutlined aria-hidden /> {visitsText.back}
            </Link>
            <Link to={statisticsPath({ mapping: id })}>{visitsText.statistics}</Link>
          </span>
          <h1>{visitsText.title}</h1>
          {head && (
            <span className={styles.quiet}>
              <bdi>
                {head.mapping.remark === '' ? head.mapping.domain : `${head.mapping.remark} · ${head.mapping.domain}`}
              </bdi>
            </span>
          )}
        </div>
        {isOn && <VisitActions list={head} filters={filters} isLive={isLive} onLive={setIsLive} />}
      </div>
      {isOn && <Notes list={head} />}
      {isOn && <VisitToolbar filters={filters} kind={head.mapping.kind} onChange={change} />}
      {error && <LoadFailure title={visitsText.failed} text={errorText(error)} query={query} />}
      {!error && newer.error && isLive && (
        <LoadFailure title={visitsText.failed} text={errorText(newer.error)} query={newer} />
      )}
      {!error && !data && (
        <section className={`${styles.panel} ${styles.skeleton}`} aria-busy="true">
          <Skeleton active title={false} paragraph={{ rows: 8 }} />
        </section>
      )}
      {list && !isOn && <TurnedOff id={id} />}
      {data && isOn && <Visits query={query} filters={filters} onClear={clear} />}
    </div>
  );
}

function Notes({ list }: { list: VisitList }) {
  const { denied, others } = list.unrecorded;
  const isPort = list.mapping.kind === 'tcp' || list.mapping.kind === 'udp';
  return (
    <>
      <p className={styles.lead}>
        {visitsText.unit[isPort ? 'port' : 'web']}
        {visitsText.privacy(list.visit_log_days)}
      </p>
      {denied + others > 0 && <Alert type="warning" showIcon title={visitsText.unrecorded(denied, others)} />}
    </>
  );
}

function TurnedOff({ id }: { id: number }) {
  const setLog = useSetVisitLog(id);
  const toastOutcome = useMutationToast();
  return (
    <section className={styles.panel}>
      <EmptyState
        title={visitsText.off.title}
        text={visitsText.off.text}
        action={
          <Button
            type="primary"
            loading={setLog.isPending}
            onClick={() => toastOutcome(setLog.mutateAsync(defaultDays), visitsText.turnedOn)}
          >
            {visitsText.turnOn}
          </Button>
        }
      />
    </section>
  );
}

type VisitsProps = { query: ReturnType<typeof useVisits>; filters: VisitFilters; onClear: () => void };

function Visits({ query, filters, onClear }: VisitsProps) {
  const visits = query.data?.pages.flatMap((page) => page.results) ?? [];
  if (visits.length === 0) {
    return (
      <section className={styles.panel}>
        {isFiltered(filters) ? (
          <div className={styles.nothing} aria-live="polite">
            {visitsText.noMatch}
            <Button type="link" onClick={onClear}>
              {visitsText.clearFilters}
            </Button>
          </div>
        ) : (
          <EmptyState title={visitsText.empty.title} text={visitsText.empty.text} />
        )}
      </section>
    );
  }
  return (
    <>
      <section className={styles.panel} aria-label={visitsText.title}>
        <VisitRows visits={visits} />
      </section>
      <div className={styles.end}>
        {query.hasNextPage ? (
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {visitsText.loadMore}
          </Button>
        ) : (
          <span className={styles.quiet}>{visitsText.end}</span>
        )}
      </div>
    </>
  );
}
