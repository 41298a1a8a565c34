import type { Statistics } from '@tongtu/contract';
import { bytesText, countText } from '../../text/amounts.ts';
import { statisticsText } from '../../text/statistics.ts';
import type { Chart, ChartSeries } from './chart.ts';
import type { ChartTone } from './chart-tones.ts';

const { series: names, charts: titles } = statisticsText;

const exactCount = (count: number) => count.toLocaleString('zh-CN');
export const msText = (ms: number | null) => (ms === null ? statisticsText.none : statisticsText.ms(ms));
/** A mark of an axis: `1 KB`. */
export const shortBytes = (bytes: number) => bytesText(bytes).replace('.0 ', ' ');

/** Numbers that were only estimated say so. */
export function peopleText(count: number, isExact: boolean): string {
  return isExact ? countText(count) : statisticsText.about(countText(count));
}

export function seriesOf(
  key: keyof typeof names,
  tone: ChartTone,
  { values, total }: Pick<ChartSeries, 'values' | 'total'>,
): ChartSeries {
  return { key, name: names[key], tone, values, total };
}

/** The charts of a period. */
export function chartsOf({ points, total }: Statistics): Chart[] {
  type Point = Statistics['points'][number];
  const linesOf = (read: (point: Point) => number | null, text: string) => ({ values: points.map(read), total: text });
  const shared = { totalName: statisticsText.inTotal };
  const counts = { ...shared, amounts: 'integers', textOf: exactCount, axisTextOf: countText } as const;
  return [
    {
      ...shared,
      title: titles.traffic,
      kind: 'lines',
      amounts: 'bytes',
      textOf: bytesText,
      axisTextOf: shortBytes,
      series: [
        seriesOf(
          'bytesOut',
          'main',
          linesOf((point) => point.bytes_out, bytesText(total.bytes_out)),
        ),
        seriesOf(
          'bytesIn',
          'second',
          linesOf((point) => point.bytes_in, bytesText(total.bytes_in)),
        ),
      ],
    },
    {
      ...counts,
      title: titles.requests,
      kind: 'bars',
      series: [
        seriesOf(
          'ok',
          'main',
          linesOf((point) => point.ok, countText(total.ok)),
        ),
        seriesOf(
          'clientErrors',
          'caution',
          linesOf((point) => point.client_errors, countText(total.client_errors)),
        ),
        seriesOf(
          'serverErrors',
          'bad',
          linesOf((point) => point.server_errors, countText(total.server_errors)),
        ),
        seriesOf(
          'failed',
          'muted',
          linesOf((point) => point.failed, countText(total.failed)),
        ),
      ],
    },
    {
      ...counts,
      title: titles.visitors,
      kind: 'lines',
      series: [
        seriesOf(
          'visitors',
          'main',
          linesOf((point) => point.visitors, peopleText(total.visitors, total.is_exact)),
        ),
        seriesOf(
          'networks',
          'second',
          linesOf((point) => point.networks, peopleText(total.networks, total.is_exact)),
        ),
      ],
    },
    {
      ...shared,
      title: titles.latency,
      kind: 'lines',
      amounts: 'numbers',
      textOf: statisticsText.ms,
      axisTextOf: statisticsText.ms,
      series: [
        seriesOf(
          'p50',
          'main',
          linesOf((point) => point.p50_ms, msText(total.p50_ms)),
        ),
        {
          ...seriesOf(
            'p95',
            'second',
            linesOf((point) => point.p95_ms, msText(total.p95_ms)),
          ),
          isDashed: true,
        },
      ],
    },
  ];
}
