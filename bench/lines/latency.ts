import { type Address, latency } from '../support/load.ts';
import type { Bench } from '../support/open-bench.ts';
import type { Line } from '../support/report.ts';

const PER_SECOND = 200;

/** The time that relay and agent, our TCP mapping, and each other tunnel add to one request under low load. */
export async function measureLatency({ effort, nginx, tunnel, tunnelTcp, rivals }: Bench): Promise<Line[]> {
  const p50: Line = { name: `added latency p50 at ${PER_SECOND} requests/s`, unit: 'ms', target: '≤ 0.5', values: [] };
  const p99: Line = { name: `added latency p99 at ${PER_SECOND} requests/s`, unit: 'ms', target: '≤ 3', values: [] };
  const others = [{ name: 'our TCP mapping', address: tunnelTcp }, ...rivals].map(({ name, address }) => {
    const line: Line = { name: `added latency p50 of ${name}`, unit: 'ms', target: '—', values: [] };
    return { address, line };
  });
  const measure = async (address: Address) => await latency(address, '/1k', PER_SECOND, effort.seconds + 1);
  for (let round = 0; round < effort.rounds; round++) {
    const direct = await measure(nginx);
    const through = await measure(tunnel);
    p50.values.push(through.p50Ms - direct.p50Ms);
    p99.values.push(through.p99Ms - direct.p99Ms);
    for (const { address, line } of others) line.values.push((await measure(address)).p50Ms - direct.p50Ms);
  }
  return [p50, p99, ...others.map(({ line }) => line)];
}
