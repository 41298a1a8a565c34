import { latency } from '../support/load.ts';
import type { Bench } from '../support/open-bench.ts';
import type { Line } from '../support/report.ts';

const PER_SECOND = 200;

/** The time that relay and agent add to one request under low load. */
export async function measureLatency({ effort, nginx, tunnel }: Bench): Promise<Line[]> {
  const p50: Line = { name: `added latency p50 at ${PER_SECOND} requests/s`, unit: 'ms', target: '≤ 0.5', values: [] };
  const p99: Line = { name: `added latency p99 at ${PER_SECOND} requests/s`, unit: 'ms', target: '≤ 3', values: [] };
  for (let round = 0; round < effort.rounds; round++) {
    const direct = await latency(nginx, '/1k', PER_SECOND, effort.seconds + 1);
    const through = await latency(tunnel, '/1k', PER_SECOND, effort.seconds + 1);
    p50.values.push(through.p50Ms - direct.p50Ms);
    p99.values.push(through.p99Ms - direct.p99Ms);
  }
  return [p50, p99];
}
