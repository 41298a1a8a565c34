import type { Line } from '../support/report.ts';
import { type Figures, median } from './figures.ts';
import { nameOf } from './options.ts';

type Value = 'pageMs' | 'besideMs' | 'megabits';
const titles: Record<Value, string> = {
  pageMs: 'page of 40 objects, ms',
  besideMs: '1 KB beside a download, p50 ms',
  megabits: 'download, Mbit/s',
};
const values = Object.keys(titles) as Value[];

/** A column for each tunnel. */
export function printFigures(figures: Figures[]): void {
  const rows = byCondition(figures).flatMap((all) =>
    values.map((value) => ({
      line: nameOf(all[0]!.cell), // a condition has figures
      cc: all[0]!.congestion,
      measure: titles[value],
      ...Object.fromEntries(all.map((each) => [each.tunnel, rounded(median(each[value]))])),
      load: Math.max(...all.map(({ load }) => load)).toFixed(1),
    })),
  );
  console.table(rows.filter((row) => Object.values(row).some((cell) => typeof cell === 'number')));
}

/** The goals as ratios to the best peer of the same condition, and to the same line without loss. */
export function toLines(figures: Figures[]): Line[] {
  return byCondition(figures).flatMap((all) => linesOf(all, figures));
}

function linesOf(all: Figures[], figures: Figures[]): Line[] {
  const ours = all.find(({ tunnel }) => tunnel === 'ours');
  if (ours === undefined) return [];
  const { cell, congestion } = ours;
  const isCubic = congestion === 'cubic';
  const peers = all.filter(({ transport }) => transport === 'tcp' || (transport === 'udp' && !isCubic));
  const best = isCubic ? 'best TCP tunnel' : 'best tunnel';
  const lines: Line[] = [];
  const add = (what: string, target: string, own: number[], other: number | undefined) => {
    const value = median(own);
    if (value === undefined || other === undefined) return;
    lines.push({ name: `${nameOf(cell)} ${congestion}: ${what}`, unit: '×', target, values: [value / other] });
  };
  const limit = isCubic ? '≤ 1.1' : '≤ 1';
  add(`page ÷ ${best}`, limit, ours.pageMs, least(peers, 'pageMs'));
  add(`1 KB beside a download ÷ ${best}`, limit, ours.besideMs, least(peers, 'besideMs'));
  if (isCubic) add(`download ÷ ${best}`, '≥ 1', ours.megabits, most(peers, 'megabits'));
  else add('download ÷ rate of the line', '≥ 0.7', ours.megabits, cell.megabits);
  const clean = figures.find(
    (each) =>
      each.tunnel === 'ours' &&
      each.congestion === congestion &&
      nameOf(each.cell) === nameOf({ ...cell, lossPercent: 0 }),
  );
  if (isCubic || cell.lossPercent !== 1 || clean === undefined) return lines;
  add('page ÷ without loss', '≤ 1.5', ours.pageMs, median(clean.pageMs));
  add('1 KB beside a download ÷ without loss', '≤ 1.5', ours.besideMs, median(clean.besideMs));
  return lines;
}

function byCondition(figures: Figures[]): Figures[][] {
  return [...Map.groupBy(figures, ({ cell, congestion }) => `${nameOf(cell)} ${congestion}`).values()];
}

function medians(figures: Figures[], value: Value): number[] {
  return figures.map((each) => median(each[value])).filter((each) => each !== undefined);
}

function least(figures: Figures[], value: Value): number | undefined {
  return medians(figures, value).toSorted((a, b) => a - b)[0];
}

function most(figures: Figures[], value: Value): number | undefined {
  return medians(figures, value).toSorted((a, b) => b - a)[0];
}

function rounded(value: number | undefined): number | string {
  if (value === undefined) return '';
  return Number(value.toFixed(value < 10 ? 1 : 0));
}
