/**
 * What the way through relay and agent costs, against nginx directly and haproxy in between, in turns in one run; only
 * the ratios mean anything. `node bench/data-plane.ts [--quick]` prints a table and, as its last line, JSON.
 * Needs nginx, haproxy, wrk and curl from the system's packages.
 */
import { must } from '@tongtu/base';
import { ApiClient } from '../e2e/support/api-client.ts';
import { enrolDevice } from '../e2e/support/agent.ts';
import { startProduct } from '../e2e/support/product.ts';
import { type Address, downloadRate, latency, requestsPerSecond } from './support/load.ts';
import { type Peers, startPeers } from './support/peers.ts';

const isQuick = process.argv.includes('--quick');
const ROUNDS = isQuick ? 2 : 5;
const SECONDS = isQuick ? 3 : 6;

/** One line of the table: a ratio (or difference) of each round, and what it should be. */
type Line = { name: string; unit: string; target: string; values: number[] };

await using peers = await startPeers();
await using product = await startProduct({ args: ['--no-local-agent'] });
const client = new ApiClient(product);
const { token } = await client.logIn();
const { agent, device } = await enrolDevice(product, client, { token, name: 'bench' });
try {
  const lines = await measure(peers, await mapBench());
  print(lines);
} finally {
  await agent.child.kill();
}

async function mapBench(): Promise<Address> {
  const target = `http://127.0.0.1:${peers.nginxPort}`;
  const body = { router: device.id, kind: 'http', prefix: 'bench', target, policy: 'public' };
  const reply = await client.call('POST', '/api/user/records/', body);
  if (reply.status !== 201) throw new Error(reply.text);
  return { port: product.ports.http, host: `bench.localhost:${product.ports.http}` };
}

async function measure({ haproxyPort, nginxPort }: Peers, tunnel: Address): Promise<Line[]> {
  const haproxy = { port: haproxyPort, host: 'localhost' };
  const nginx = { port: nginxPort, host: 'localhost' };
  const lines: Line[] = [
    { name: '1 KB requests/s ÷ haproxy', unit: '×', target: '≥ 0.45', values: [] },
    { name: '256 MB download ÷ haproxy', unit: '×', target: '≥ 0.40', values: [] },
    { name: 'two 256 MB downloads ÷ haproxy', unit: '×', target: '≥ 0.50', values: [] },
    { name: 'added latency p50 at 200 requests/s', unit: 'ms', target: '≤ 0.5', values: [] },
    { name: 'added latency p99 at 200 requests/s', unit: 'ms', target: '≤ 3', values: [] },
  ];
  const add = (index: number, value: number) => void must(lines[index], 'a line').values.push(value);
  await requestsPerSecond(tunnel, '/1k', SECONDS); // warm-up
  for (let round = 0; round < ROUNDS; round++) {
    const base = await requestsPerSecond(haproxy, '/1k', SECONDS);
    add(0, (await requestsPerSecond(tunnel, '/1k', SECONDS)) / base);
    const bulk = await downloadRate(haproxy, '/256m', 1);
    add(1, (await downloadRate(tunnel, '/256m', 1)) / bulk);
    const bulkOfTwo = await downloadRate(haproxy, '/256m', 2);
    add(2, (await downloadRate(tunnel, '/256m', 2)) / bulkOfTwo);
    const direct = await latency(nginx, '/1k', 200, SECONDS);
    const through = await latency(tunnel, '/1k', 200, SECONDS);
    add(3, through.p50Ms - direct.p50Ms);
    add(4, through.p99Ms - direct.p99Ms);
  }
  return lines;
}

function print(lines: Line[]): void {
  const results = lines.map(({ values, ...line }) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share: number) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2));
    return { ...line, min: at(0), median: at(0.5), max: at(1) };
  });
  console.table(results);
  console.log(JSON.stringify({ versions: { node: process.version, ...peers.versions }, rounds: ROUNDS, results }));
}
