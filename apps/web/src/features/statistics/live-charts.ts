import { bytesText, countText } from '../../text/amounts.ts';
import { statisticsText } from '../../text/statistics.ts';
import type { Chart } from './chart.ts';
import { seriesOf, shortBytes } from './charts.ts';

export type LivePoint = { bytes_in: number; bytes_out: number; requests: number; errors: number };

const meanOfMs = 10_000;
const smoothedSteps = 3;

const rateText = (bytes: number) => statisticsText.perSecond(bytesText(bytes));
const oneDigit = (count: number) => (count >= 100 ? countText(Math.round(count)) : String(Number(count.toFixed(1))));
const requestRateText = (count: number) => statisticsText.perSecond(oneDigit(count));

/** What happened in a second, on average. */
function rateOf(amounts: readonly number[], stepMs: number): number {
  return amounts.length === 0
    ? 0
    : (amounts.reduce((sum, amount) => sum + amount, 0) / amounts.length / stepMs) * 1_000;
}

/** The charts of the last minutes. */
export function liveChartsOf(points: readonly LivePoint[], stepMs: number): Chart[] {
  function linesOf(read: (point: LivePoint) => number, textOf: (rate: number) => string) {
    const amounts = points.map(read);
    return {
      // Relays do not report at exactly equal intervals, so a point is the mean of its step and those right before it.
      values: amounts.map((_, index) =>
        rateOf(amounts.slice(Math.max(0, index - smoothedSteps + 1), index + 1), stepMs),
      ),
      total: textOf(rateOf(amounts.slice(-meanOfMs / stepMs), stepMs)),
    };
  }
  const { charts: titles, now } = statisticsText;
  return [
    {
      title: titles.rate,
      kind: 'lines',
      amounts: 'bytes',
      textOf: rateText,
      axisTextOf: shortBytes,
      totalName: now,
      series: [
        seriesOf(
          'bytesOut',
          'main',
          linesOf((point) => point.bytes_out, rateText),
        ),
        seriesOf(
          'bytesIn',
          'second',
          linesOf((point) => point.bytes_in, rateText),
        ),
      ],
    },
    {
      title: titles.requestRate,
      kind: 'bars',
      amounts: 'numbers',
      textOf: requestRateText,
      axisTextOf: oneDigit,
      totalName: now,
      series: [
        seriesOf(
          'answered',
          'main',
          linesOf((point) => Math.max(0, point.requests - point.errors), requestRateText),
        ),
        seriesOf(
          'errors',
          'bad',
          linesOf((point) => point.errors, requestRateText),
        ),
      ],
    },
  ];
}
