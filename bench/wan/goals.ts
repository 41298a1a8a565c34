import type { Line } from '../support/report.ts';
import { type Figures, median, type WanResult } from './figures.ts';
import { nameOf } from './options.ts';
import type { Outage, OutageKind } from './outage.ts';

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
  const measured = rows.filter((row) => Object.values(row).some((cell) => typeof cell === 'number'));
  if (measured.length > 0) console.table(measured);
}

/** One row for each outage and tunnel. */
export function printOutages(outages: Outage[]): void {
  const rows = outages.map((each) => ({
    outage: nameOfOutage(each.kind),
    cc: each.congestion,
    tunnel: each.tunnel,
    'back, s': twoDigits(each.backSeconds),
    'none fails from, s': twoDigits(each.steadySeconds),
    'failed of': `${each.failed} of ${each.requests}`,
    'asked in the cut, s': twoDigits(each.heldSeconds),
    download: nameOfSurvival(each.survivals?.download),
    WebSocket: nameOfSurvival(each.survivals?.webSocket),
  }));
  if (rows.length > 0) console.table(rows);
}

/** The goals as ratios to the best peer of the same condition, and to the same line without loss; and those of outages. */
export function toLines({ figures, outages }: WanResult): Line[] {
  return [...byCondition(figures).flatMap((all) => linesOf(all, figures)), ...linesOfOutages(outages)];
}

const BACK_SECONDS = 1;
const BACK_SECONDS_OF_ADDRESS = 2;
/** Up to this cut, what was open goes on. */
const SURVIVED_SECONDS = 10;

function linesOfOutages(outages: Outage[]): Line[] {
  const ours = outages.filter(({ tunnel }) => tunnel === 'ours');
  const groups = Map.groupBy(ours, ({ kind, congestion }) => `${congestion}, after ${nameOfOutage(kind)}:`);
  return [...groups].flatMap(([name, all]): Line[] => {
    const kind = all[0]?.kind ?? 0; // a group is not empty
    const limit = typeof kind === 'number' ? BACK_SECONDS : BACK_SECONDS_OF_ADDRESS;
    const back = {
      name: `${name} back`,
      unit: 's',
      target: `≤ ${limit}`,
      values: all.map((e) => e.backSeconds),
    } as const;
    if (typeof kind !== 'number' || kind > SURVIVED_SECONDS) return [back];
    const survival = { unit: '1 = yes', target: '1' } as const;
    return [
      back,
      {
        ...survival,
        name: `${name} the download goes on`,
        values: all.map((each) => Number(each.survivals?.download)),
      },
      {
        ...survival,
        name: `${name} the WebSocket goes on`,
        values: all.map((each) => Number(each.survivals?.webSocket)),
      },
    ];
  });
}

function nameOfOutage(kind: OutageKind): string {
  if (typeof kind === 'number') return `a cut of ${kind} s`;
  return kind === 'address' ? 'a new address' : 'a new address, idle';
}

function nameOfSurvival(survives: boolean | undefined): string {
  if (survives === undefined) return '';
  return survives ? 'goes on' : 'ended';
}

function twoDigits(value: number | undefined): string {
  if (value === undefined) return '';
  return Number.isFinite(value) ? value.toFixed(2) : 'never';
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
