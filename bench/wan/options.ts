import { must } from '@tongtu/base';
import type { LineSettings } from './line.ts';
import type { Congestion } from './namespaces.ts';
import { type PeerName, peerNames } from './tunnels.ts';

export type Cell = { rttMs: number; lossPercent: number; megabits: number; queueMs: number };
const measures = ['page', 'beside', 'download', 'cut', 'address'] as const;
type Measure = (typeof measures)[number];
export type WanOptions = {
  cells: Cell[];
  congestions: Congestion[];
  /** `ours-tcp` is our TCP mapping. */
  peers: (PeerName | 'ours-tcp')[];
  measures: Measure[];
  /** Of `cut`. */
  cutSeconds: number[];
  rounds: number;
};

export const wanFlags = {
  cells: { type: 'string', default: '30/0,30/1,100/0,100/1,100/3,30/0/20/300' },
  cc: { type: 'string', default: 'cubic' },
  peers: { type: 'string', default: 'frp-tcp,frp-quic,frp-kcp,chisel,rathole' },
  measures: { type: 'string', default: measures.join(',') },
  cuts: { type: 'string', default: '1,10,60' },
  rounds: { type: 'string', default: '' },
} as const;
const DEFAULT_MEGABITS = 100;
const DEFAULT_QUEUE_MS = 50;

/** Reads the flags. Throws for a word that is none. */
export function parseWanOptions(flags: Record<keyof typeof wanFlags, string>, defaultRounds: number): WanOptions {
  const peers = wordsOf(flags.peers, [...peerNames, 'ours-tcp', 'none']);
  return {
    cells: flags.cells.split(',').map(parseCell),
    congestions: wordsOf(flags.cc, ['cubic', 'bbr', 'own']),
    peers: peers.filter((name) => name !== 'none'),
    measures: wordsOf(flags.measures, measures),
    cutSeconds: flags.cuts.split(',').map(Number),
    rounds: flags.rounds === '' ? defaultRounds : Number(flags.rounds),
  };
}

/** RTT in ms, loss in %, and where they differ from a line of 100 Mbit/s with a queue of 50 ms, these: `30/0/20/300`. */
function parseCell(text: string): Cell {
  const [rttMs, lossPercent = 0, megabits = DEFAULT_MEGABITS, queueMs = DEFAULT_QUEUE_MS] = text.split('/').map(Number);
  const cell = { rttMs: must(rttMs, 'the RTT of a cell'), lossPercent, megabits, queueMs };
  if (!Object.values(cell).every((value) => value >= 0)) throw new Error(`${text} is no cell`);
  return cell;
}

function wordsOf<Word extends string>(text: string, all: readonly Word[]): Word[] {
  return text.split(',').map((word) => {
    const known = all.find((each) => each === word);
    if (known === undefined) throw new Error(`${word} is none of ${all.join(', ')}`);
    return known;
  });
}

export function nameOf({ rttMs, lossPercent, megabits, queueMs }: Cell): string {
  const rest = megabits === DEFAULT_MEGABITS && queueMs === DEFAULT_QUEUE_MS ? '' : `/${megabits}/${queueMs}`;
  return `${rttMs}/${lossPercent}${rest}`;
}

export function settingsOf({ rttMs, lossPercent, megabits, queueMs }: Cell): LineSettings {
  return { delay: rttMs / 2, loss: lossPercent, rate: megabits, queue: queueMs };
}
