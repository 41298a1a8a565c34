/**
 * Measures tunnels over the emulated line, in the namespace of the server: lines/wan.ts starts it there, and it sends the
 * result to that. `wan-process.ts <task in JSON>`
 */
import { loadavg } from 'node:os';
import path from 'node:path';
import { freePort } from '@tongtu/base/testing/free-port';
import { type Figures, median, quantile, type WanResult } from './figures.ts';
import { startLine } from './line.ts';
import { type Congestion, describeConnections, setCongestion } from './namespaces.ts';
import { measureOutage, type Outage, type OutageKind } from './outage.ts';
import { startOurs } from './our-tunnel.ts';
import { type Cell, nameOf, settingsOf, type WanOptions } from './options.ts';
import { type PeerName, startInHome, startPeers, type Tunnel } from './tunnels.ts';
import { downloadMegabits, loadPages, requestBeside, waitUntilServed } from './visitor.ts';

export type WanTask = {
  options: WanOptions;
  namespaces: { server: string; home: string };
  lineProgram: string;
  folder: string;
};

const MEASURE_SECONDS = 6;
const PAGES_SECONDS = 10;
/** Until the queues of the measurement before are empty. */
const DRAINS_MS = 1_000;

const task = JSON.parse(process.argv[2] ?? '') as WanTask; // written by lines/wan.ts
const { options, namespaces, folder } = task;
await using parts = new AsyncDisposableStack();
const line = parts.use(await startLine(task.lineProgram, namespaces));
const webPort = await freePort();
parts.use(
  startInHome(namespaces.home, [process.execPath, path.join(import.meta.dirname, 'home-process.ts'), String(webPort)]),
);
const setup = { folder, homeNamespace: namespaces.home, webPort };
await setCongestion(namespaces, 'own');
const { ours } = parts.use(await startOurs(setup));
const isPeer = (name: string): name is PeerName => name !== 'ours-tcp';
const { peers } = parts.use(await startPeers(options.peers.filter(isPeer), setup));
const tunnels = [
  ...ours.filter(({ name }) => name === 'ours' || options.peers.some((each) => each === name)),
  ...peers,
];

const measuresCells = (['page', 'beside', 'download'] as const).some((name) => options.measures.includes(name));
const outageKinds: OutageKind[] = [
  ...(options.measures.includes('cut') ? options.cutSeconds : []),
  ...(options.measures.includes('address') ? (['address', 'address-idle'] as const) : []),
];
const figures: Figures[] = [];
const outages: Outage[] = [];
for (const congestion of options.congestions) {
  await setCongestion(namespaces, congestion);
  for (const cell of measuresCells ? options.cells : []) {
    await line.set(settingsOf(cell));
    const all = tunnels.map((tunnel) => emptyFigures(tunnel, cell, congestion));
    figures.push(...all);
    for (let round = 0; round < options.rounds; round++)
      for (const [n, tunnel] of tunnels.entries()) {
        const own = all[n]!; // there is one for each tunnel
        await measure(tunnel, own);
        console.error(`${nameOf(cell)} ${congestion} ${describe(own)}`);
      }
  }
  for (let round = 0; round < options.rounds; round++)
    for (const kind of outageKinds) {
      const all = await measureOutage(tunnels, { line, kind, congestion });
      for (const { tunnel, backSeconds } of all)
        console.error(`outage ${kind} ${tunnel}: back after ${backSeconds.toFixed(1)} s`);
      outages.push(...all);
    }
}
const versions = Object.fromEntries(tunnels.map(({ name, version }) => [name, version]));
process.send?.({ figures, outages, versions } satisfies WanResult);

function emptyFigures({ name, transport }: Tunnel, cell: Cell, congestion: Congestion): Figures {
  const empty = { pageMs: [], besideMs: [], besideMegabits: [], megabits: [], failed: 0, connections: '', load: 0 };
  return { cell, congestion, tunnel: name, transport, ...empty };
}

/** Adds one round. */
async function measure(tunnel: Tunnel, own: Figures): Promise<void> {
  const { address } = tunnel;
  await using home = tunnel.startHome();
  if (!(await waitUntilServed(tunnel))) return console.error(home.output ?? '');
  if (options.measures.includes('page')) {
    const { ms, failed } = await loadPages(address, PAGES_SECONDS);
    own.pageMs.push(...ms);
    own.failed += failed;
    own.connections = await describeConnections(namespaces.home);
    await drained();
  }
  if (options.measures.includes('download')) {
    own.megabits.push(...(await downloadMegabits(address, MEASURE_SECONDS)));
    own.connections = await describeConnections(namespaces.home);
    await drained();
  }
  if (options.measures.includes('beside')) {
    const { ms, failed, megabits } = await requestBeside(address, MEASURE_SECONDS);
    own.besideMs.push(...ms);
    own.besideMegabits.push(megabits);
    own.failed += failed;
    own.connections = await describeConnections(namespaces.home);
    await drained();
  }
  own.load = Math.max(own.load, loadavg()[0] ?? 0);
}

async function drained(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, DRAINS_MS));
}

function describe(own: Figures): string {
  const { tunnel, pageMs, besideMs, besideMegabits, megabits, failed, connections, load } = own;
  const number = (value: number | undefined, digits = 0) => value?.toFixed(digits) ?? '–';
  const page = `page ${number(median(pageMs))} ms (p95 ${number(quantile(pageMs, 0.95))}, n=${pageMs.length})`;
  const beside = `beside p50 ${number(median(besideMs))} ms (p99 ${number(quantile(besideMs, 0.99))}, n=${besideMs.length}, download ${number(median(besideMegabits), 1)} Mbit/s)`;
  return `${tunnel}: ${page}, ${beside}, download ${number(median(megabits), 1)} Mbit/s, ${failed} failed, TCP: ${connections}, load ${load.toFixed(1)}`;
}
