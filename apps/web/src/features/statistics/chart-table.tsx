import { useState } from 'react';
import { statisticsText } from '../../text/statistics.ts';
import type { Chart, ChartTimes } from './chart.ts';
import { ScrolledTable } from './scrolled-table.tsx';
import styles from './statistics.module.css';

/** The numbers of a chart, the latest first. */
export function ChartTable({ chart, times }: { chart: Chart; times: ChartTimes }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.details} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {statisticsText.table}
        <span className={styles.unseen}>{chart.title}</span>
      </summary>
      {isOpen && (
        <ScrolledTable label={statisticsText.tableOf(chart.title)}>
          <thead>
            <tr>
              <th scope="col">{statisticsText.time}</th>
              {chart.series.map(({ key, name }) => (
                <th key={key} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.atMs
              .map((atMs, index) => (
                <tr key={atMs}>
                  <th scope="row">{times.textOf(atMs)}</th>
                  {chart.series.map(({ key, values }) => {
                    const value = values[index] ?? null;
                    return <td key={key}>{value === null ? statisticsText.none : chart.textOf(value)}</td>;
                  })}
                </tr>
              ))
              .toReversed()}
          </tbody>
        </ScrolledTable>
      )}
    </details>
  );
}
