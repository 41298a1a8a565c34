import type { Congestion } from './namespaces.ts';
import type { Outage } from './outage.ts';
import type { Tunnel } from './tunnels.ts';
import type { Cell } from './options.ts';

/** What was measured of a tunnel in a cell, of all rounds. */
export type Figures = {
  cell: Cell;
  congestion: Congestion;
  tunnel: string;
  transport: Tunnel['transport'];
  pageMs: number[];
  besideMs: number[];
  /** Of the downloads that the requests were made beside. */
  besideMegabits: number[];
  megabits: number[];
  /** Requests and pages that failed or took too long. */
  failed: number;
  /** After the latest measurement, as namespaces.ts describes them. */
  connections: string;
  /** Of this machine: processes that ran or waited. */
  load: number;
};

export type WanResult = { figures: Figures[]; outages: Outage[]; versions: Record<string, string> };

/** The value below which this share lies, between the two nearest ones; undefined of none. */
export function quantile(values: number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (position % 1);
}

export function median(values: number[]): number | undefined {
  return quantile(values, 0.5);
}
