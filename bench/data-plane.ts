/**
 * Measures the data plane, one line of a table for each target: the path through relay and agent against nginx
 * directly, against haproxy, against a bare tunnel in Node.js, and against the tunnels that the environment names. They
 * take turns in one run on one machine. Only the ratios are meaningful.
 *
 * `node bench/data-plane.ts [--quick] [--only=bulk,idle]` prints a table and, as its last line, JSON.
 * Needs nginx, haproxy, wrk and curl. Other tunnels: FRP_DIR (frps and frpc), RATHOLE and CHISEL (the program).
 */
import { parseArgs } from 'node:util';
import { measureAbortedDownloads } from './lines/aborted-downloads.ts';
import { measureBulk } from './lines/bulk.ts';
import { measureFrpc } from './lines/frpc.ts';
import { measureIdleDevices } from './lines/idle-devices.ts';
import { measureIdleFrpc } from './lines/idle-frpc.ts';
import { measureLatency } from './lines/latency.ts';
import { measureLongWay } from './lines/long-way.ts';
import { measureRequests } from './lines/requests.ts';
import { measureStalledDownloads } from './lines/stalled-downloads.ts';
import { measureVisitorLog } from './lines/visitor-log.ts';
import { measureRestart } from './lines/restart.ts';
import { openBench, type Bench, type Effort } from './support/open-bench.ts';
import { type Line, printReport } from './support/report.ts';

const lines: Record<string, (bench: Bench) => Promise<Line[]>> = {
  requests: measureRequests,
  log: measureVisitorLog,
  bulk: measureBulk,
  frpc: measureFrpc,
  latency: measureLatency,
  long: measureLongWay,
  stalled: measureStalledDownloads,
  aborted: measureAbortedDownloads,
  idle: measureIdleDevices,
  idle_frpc: measureIdleFrpc,
  restart: measureRestart,
};

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const effort: Effort = options.quick
  ? { rounds: 1, seconds: 2, abortedDownloads: 20, idleDevices: 300 }
  : { rounds: 5, seconds: 5, abortedDownloads: 100, idleDevices: 5_000 };
const wanted = options.only === '' ? Object.keys(lines) : options.only.split(',');

await using bench = await openBench(effort);
const report: Line[] = [];
for (const name of wanted) {
  const measure = lines[name];
  if (measure === undefined) throw new Error(`no line ${name}; there are ${Object.keys(lines).join(', ')}`);
  console.error(`measuring ${name} …`);
  report.push(...(await measure(bench)));
}
printReport(report, bench.versions);
