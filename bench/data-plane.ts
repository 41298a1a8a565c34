/**
 * Measures the data plane, one line of a table for each target: the path through relay and agent against nginx
 * directly, against haproxy, against a bare tunnel in Node.js, and against the tunnels that the environment names. They
 * take turns in one run on one machine. Only the ratios are meaningful.
 *
 * `node bench/data-plane.ts [--quick] [--only=bulk,idle]` prints a table and, as its last line, JSON.
 * Needs nginx, haproxy, wrk and curl. Other tunnels: FRP_DIR (frps and frpc), RATHOLE and CHISEL (the program).
 *
 * `--only=wan` measures over an emulated line with delay and loss, and only when it is named: as root, with /dev/net/tun,
 * ip and gcc. A run of one cell of ours alone takes 45 s: `--only=wan --quick --cells=30/1 --peers=none`
 * - `--cells=30/0,100/1,30/0/20/300`: RTT ms, loss %, then Mbit/s and queue ms where they differ from 100 and 50
 * - `--cc=cubic,bbr,own`: TCP's congestion control at both ends; `own`: CUBIC, but the product may choose another
 * - `--peers=frp-tcp,frp-quic,frp-kcp,chisel,rathole,rathole-noise`, `ours-tcp` (our TCP mapping), `none`
 * - `--measures=page,beside,download,cut,address`: 40 objects over 6 connections; 1 KB beside a download; 20 MB; outages
 * - `--cuts=1,10,60`: seconds
 * - `--rounds=3`: how often; each round is a new connection of every tunnel. Settings of the product, such as
 *   RELAY_PROCESSES, pass through the environment.
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
import { measureWan } from './lines/wan.ts';
import { openBench, type Bench, type Effort } from './support/open-bench.ts';
import { type Line, printReport } from './support/report.ts';
import { parseWanOptions, wanFlags } from './wan/options.ts';

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

const WAN_ROUNDS = 3;

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' }, ...wanFlags },
});
const effort: Effort = options.quick
  ? { rounds: 1, seconds: 2, abortedDownloads: 20, idleDevices: 300 }
  : { rounds: 5, seconds: 5, abortedDownloads: 100, idleDevices: 5_000 };
const wanted = options.only === '' ? Object.keys(lines) : options.only.split(',');

const report: Line[] = [];
const versions: Record<string, string> = {};
// Only when it is named: it needs root. It has a product of its own, in a namespace.
if (wanted.includes('wan')) {
  const wan = await measureWan(parseWanOptions(options, options.quick ? 1 : WAN_ROUNDS));
  report.push(...wan.lines);
  Object.assign(versions, wan.versions);
}
const others = wanted.filter((name) => name !== 'wan');
if (others.length > 0) {
  await using bench = await openBench(effort);
  Object.assign(versions, bench.versions);
  for (const name of others) {
    const measure = lines[name];
    if (measure === undefined) throw new Error(`no line ${name}; there are ${Object.keys(lines).join(', ')}, wan`);
    console.error(`measuring ${name} …`);
    report.push(...(await measure(bench)));
  }
}
printReport(report, versions);
