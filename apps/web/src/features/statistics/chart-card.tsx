import { theme } from 'antd';
import { useId, useMemo, useState } from 'react';
import { statisticsText } from '../../text/statistics.ts';
import { ChartTable } from './chart-table.tsx';
import { Plot } from './plot.tsx';
import type { PlotLook } from './plot-options.ts';
import type { Chart, ChartSeries, ChartTimes } from './chart.ts';
import { toneColor } from './chart-tones.ts';
import styles from './statistics.module.css';

/** What is drawn on top of each other: bars that reach to the sum, the highest first. */
function stack(series: readonly ChartSeries[], length: number): number[][] {
  let sums = Array.from({ length }, () => 0);
  const bars = series.map(({ values }) => (sums = sums.map((sum, index) => sum + (values[index] ?? 0))));
  return bars.toReversed();
}

export function ChartCard({ chart, times }: { chart: Chart; times: ChartTimes }) {
  const { title, kind, amounts, series, axisTextOf } = chart;
  const id = useId();
  const { token } = theme.useToken();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [hovered, setHovered] = useState<number>();
  const shown = useMemo(() => series.filter(({ key }) => !hidden.has(key)), [series, hidden]);
  const colorsOf = shown.map(({ tone, isDashed }) => `${toneColor(token, tone)} ${isDashed === true}`).join();
  const { stepS } = times;
  const { colorTextSecondary: text, colorBorderSecondary: grid, fontFamily: font } = token;

  // A look with the same parts is the same: another one would draw the chart anew, and new points come every two seconds.
  const look = useMemo<PlotLook>(() => {
    const lines = colorsOf.split(',').map((each) => {
      const [color = text, isDashed] = each.split(' ');
      return { color, isDashed: isDashed === 'true' };
    });
    const ordered = kind === 'bars' ? lines.toReversed() : lines;
    return { kind, amounts, stepS, lines: ordered, textOf: axisTextOf, colors: { text, grid, font } };
  }, [kind, amounts, stepS, colorsOf, axisTextOf, text, grid, font]);
  const data = useMemo((): [number[], ...(number | null)[][]] => {
    const seconds = times.atMs.map((atMs) => atMs / 1_000);
    return [seconds, ...(kind === 'bars' ? stack(shown, seconds.length) : shown.map(({ values }) => [...values]))];
  }, [times, kind, shown]);

  const at = hovered === undefined ? undefined : times.atMs[hovered];
  function toggle(key: string) {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    // A chart without any line would be empty.
    if (next.size < series.length) setHidden(next);
  }
  return (
    <section className={`${styles.panel} ${styles.chart}`} aria-labelledby={id}>
      <div className={styles.chartHead}>
        <h2 id={id}>{title}</h2>
        <span className={styles.quiet}>{at === undefined ? chart.totalName : times.textOf(at)}</span>
      </div>
      <ul className={styles.legend}>
        {series.map(({ key, name, tone, isDashed, values, total }) => {
          const value = hovered === undefined ? undefined : values[hovered];
          const amount = value === null || value === undefined ? statisticsText.none : chart.textOf(value);
          return (
            <li key={key}>
              <button
                type="button"
                aria-pressed={!hidden.has(key)}
                title={statisticsText.hideSeries(name)}
                onClick={() => toggle(key)}
              >
                <span
                  className={styles.swatch}
                  data-dashed={isDashed}
                  style={{ color: toneColor(token, tone) }}
                  aria-hidden
                />
                {name}
                <b>{at === undefined ? total : amount}</b>
              </button>
            </li>
          );
        })}
      </ul>
      <Plot look={look} data={data} onHover={setHovered} />
      <ChartTable chart={chart} times={times} />
    </section>
  );
}
