import type { ChartTone } from './chart-tones.ts';
import type { PlotLook } from './plot-options.ts';

export type ChartSeries = {
  key: string;
  name: string;
  tone: ChartTone;
  isDashed?: true;
  values: readonly (number | null)[];
  /** Shown beside the name when no point is chosen. */
  total: string;
};

export type Chart = {
  title: string;
  /** Bars are stacked. */
  kind: PlotLook['kind'];
  amounts: PlotLook['amounts'];
  series: readonly ChartSeries[];
  textOf: (amount: number) => string;
  axisTextOf: (amount: number) => string;
  totalName: string;
};

/** The begins of the points, how long each is, and its name. */
export type ChartTimes = { atMs: readonly number[]; stepS: number; textOf: (atMs: number) => string };
