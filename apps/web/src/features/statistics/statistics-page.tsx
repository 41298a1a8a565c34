import { Button, Skeleton } from 'antd';
import { useMemo, useCallback } from 'react';
import { Link, useSearchParams } from 'react-router';
import { errorText, useDevices } from '../../api/index.ts';
import { paths, visitsPath } from '../../routing/paths.ts';
import { statisticsText } from '../../text/statistics.ts';
import { EmptyState } from '../../ui/page/empty-state.tsx';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { clockText, pointText } from './beijing-time.ts';
import { ChartCard } from './chart-card.tsx';
import { chartsOf } from './charts.ts';
import { FigureCards } from './figure-cards.tsx';
import { LiveView } from './live-view.tsx';
import { PeriodSwitch } from './period-switch.tsx';
import { type PeriodUnit, readView, type Scope, type StatisticsView, writeView } from './statistics-view.ts';
import { StatisticsToolbar } from './statistics-toolbar.tsx';
import styles from './statistics.module.css';
import { TopLists } from './top-lists.tsx';
import { UptimeList } from './uptime-list.tsx';
import { type Period, useStatistics } from './use-statistics.ts';

const stepsS: Record<PeriodUnit, number> = { hour: 3_600, day: 86_400, month: 28 * 86_400 };

/** The view is in the address, so it survives a reload and can be bookmarked. */
function useView() {
  const [query, setQuery] = useSearchParams();
  const change = useCallback(
    (changes: Partial<StatisticsView>) => setQuery((current) => writeView({ ...readView(current), ...changes })),
    [setQuery],
  );
  return { view: readView(query), change };
}

/** Traffic, requests, visitors and uptime of the account, a device or a mapping. */
export function StatisticsPage() {
  const { view, change } = useView();
  const { data: devices } = useDevices();
  const { unit, points, until, router, mapping } = view;
  const showAll = (router !== undefined || mapping !== undefined) && (
    <Button onClick={() => change({ router: undefined, mapping: undefined })}>{statisticsText.showAll}</Button>
  );
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{statisticsText.title}</h1>
        {mapping !== undefined && <Link to={visitsPath(mapping)}>{statisticsText.visits}</Link>}
      </div>
      {devices?.length === 0 ? (
        <section className={styles.panel}>
          <EmptyState
            {...statisticsText.noDevices}
            action={<Link to={paths.devices}>{statisticsText.toDevices}</Link>}
          />
        </section>
      ) : (
        <>
          <StatisticsToolbar view={view} devices={devices} onChange={change} />
          <p className={styles.quiet}>{statisticsText.hint[unit]}</p>
          {unit === 'live' ? (
            <LiveView scope={{ router, mapping }} more={showAll} />
          ) : (
            <PeriodView
              period={{ unit, points, until, router, mapping }}
              more={showAll}
              onUntil={(next) => change({ until: next })}
            />
          )}
        </>
      )}
    </div>
  );
}

type PeriodViewProps = { period: Period; more: React.ReactNode; onUntil: (until: string | undefined) => void };

function PeriodView({ period, more, onUntil }: PeriodViewProps) {
  const { unit, points, until, mapping } = period;
  const query = useStatistics(period);
  const { data, error, isPlaceholderData, dataUpdatedAt } = query;
  const { data: devices = [] } = useDevices();
  const charts = useMemo(() => data && chartsOf(data), [data]);
  const times = useMemo(() => {
    const atMs = data?.points.map(({ at }) => Date.parse(at)) ?? [];
    return { atMs, stepS: stepsS[unit], textOf: (at: number) => pointText(unit, at) };
  }, [data, unit]);
  const linkTo = (scope: Partial<Scope>) =>
    `${paths.statistics}?${writeView({ router: undefined, mapping: undefined, ...scope, unit, points, until }).toString()}`;
  if (error && (data === undefined || isPlaceholderData))
    return <LoadFailure title={statisticsText.failed} text={errorText(error)} query={query} more={more} />;
  if (data === undefined || charts === undefined)
    return (
      <section className={`${styles.panel} ${styles.skeleton}`} aria-busy="true">
        <Skeleton active title={false} paragraph={{ rows: 8 }} />
      </section>
    );
  const { total } = data;
  const isEmpty = total.requests === 0 && total.bytes_in + total.bytes_out === 0;
  return (
    <div className={styles.period} aria-busy={isPlaceholderData}>
      {error && <LoadFailure title={statisticsText.failed} text={errorText(error)} query={query} more={more} />}
      <PeriodSwitch
        statistics={data}
        unit={unit}
        shownAtMs={dataUpdatedAt}
        isPresent={until === undefined}
        onUntil={onUntil}
      />
      <FigureCards {...data} />
      {!total.is_exact && <p className={styles.quiet}>{statisticsText.approximate}</p>}
      {isEmpty ? (
        <section className={styles.panel}>
          <EmptyState {...statisticsText.empty} />
        </section>
      ) : (
        <div className={styles.charts}>
          {charts.map((chart) => (
            <ChartCard key={chart.title} chart={chart} times={times} />
          ))}
        </div>
      )}
      {!isEmpty && (
        <TopLists
          statistics={data}
          devices={devices}
          isByHour={unit === 'hour'}
          linkTo={mapping === undefined ? linkTo : undefined}
        />
      )}
      {data.uptime.length > 0 && (
        <UptimeList statistics={data} isByHour={unit === 'hour'} linkTo={(router) => linkTo({ router })} />
      )}
      <p className={styles.quiet}>{statisticsText.refreshed(clockText(dataUpdatedAt))}</p>
    </div>
  );
}
