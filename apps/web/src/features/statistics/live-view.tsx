import { Skeleton } from 'antd';
import { useMemo } from 'react';
import { errorText } from '../../api/index.ts';
import { statisticsText } from '../../text/statistics.ts';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import { clockText } from './beijing-time.ts';
import { ChartCard } from './chart-card.tsx';
import { liveChartsOf } from './live-charts.ts';
import type { Scope } from './statistics-view.ts';
import styles from './statistics.module.css';
import { useLiveStatistics } from './use-statistics.ts';

/** The last five minutes. */
export function LiveView({ scope, more }: { scope: Scope; more: React.ReactNode }) {
  const query = useLiveStatistics(scope);
  const { data, error } = query;
  const view = useMemo(() => {
    if (data === undefined) return undefined;
    const { from, step_ms: stepMs } = data;
    // The last step is not over.
    const points = data.points.slice(0, -1);
    const atMs = points.map((_, index) => Date.parse(from) + index * stepMs);
    return { charts: liveChartsOf(points, stepMs), times: { atMs, stepS: stepMs / 1_000, textOf: clockText } };
  }, [data]);
  return (
    <>
      {error && <LoadFailure title={statisticsText.failed} text={errorText(error)} query={query} more={more} />}
      {!error && !view && (
        <section className={`${styles.panel} ${styles.skeleton}`} aria-busy="true">
          <Skeleton active title={false} paragraph={{ rows: 8 }} />
        </section>
      )}
      {view && (
        <div className={styles.charts}>
          {view.charts.map((chart) => (
            <ChartCard key={chart.title} chart={chart} times={view.times} />
          ))}
        </div>
      )}
    </>
  );
}
