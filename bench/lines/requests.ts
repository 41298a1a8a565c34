import { must } from '@tongtu/base';
import { requestsPerSecond } from '../support/load.ts';
import type { Bench } from '../support/open-bench.ts';
import type { Line } from '../support/report.ts';

const PATH = '/1k';

/** Answers of 1 KB over 64 keep-alive connections. */
export async function measureRequests({ effort, haproxy, tunnel, tunnelTcp, rivals }: Bench): Promise<Line[]> {
  const { rounds, seconds } = effort;
  const lines: Line[] = [
    { name: '1 KB requests/s ÷ haproxy', unit: '×', target: '≥ 0.45', values: [] },
    ...rivals.map(({ name, minRequests }): Line => {
      return { name: `1 KB requests/s ÷ ${name}`, unit: '×', target: `≥ ${minRequests.toFixed(1)}`, values: [] };
    }),
  ];
  const add = (index: number, value: number) => void must(lines[index], 'a line').values.push(value);
  await requestsPerSecond(tunnel, PATH, seconds); // warm-up
  for (let round = 0; round < rounds; round++) {
    const base = await requestsPerSecond(haproxy, PATH, seconds);
    const own = await requestsPerSecond(tunnel, PATH, seconds);
    const ownTcp = await requestsPerSecond(tunnelTcp, PATH, seconds);
    add(0, own / base);
    for (const [index, rival] of rivals.entries()) {
      const theirs = await requestsPerSecond(rival.address, PATH, seconds);
      add(index + 1, (rival.layer === 'http' ? own : ownTcp) / theirs);
    }
  }
  return lines;
}
