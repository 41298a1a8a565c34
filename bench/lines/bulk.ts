import { must } from '@tongtu/base';
import { downloadRate } from '../support/load.ts';
import type { Bench } from '../support/open-bench.ts';
import type { Line } from '../support/report.ts';

const PATH = '/256m';

/** Downloads of 256 MB: one, and two at once. */
export async function measureBulk({ effort, haproxy, tunnel, tunnelTcp, rivals }: Bench): Promise<Line[]> {
  const lines: Line[] = [
    { name: '256 MB download ÷ haproxy', unit: '×', target: '≥ 0.40', values: [] },
    { name: 'two 256 MB downloads ÷ haproxy', unit: '×', target: '≥ 0.50', values: [] },
    ...rivals.map(({ name, minBulk }): Line => {
      return { name: `256 MB download ÷ ${name}`, unit: '×', target: `≥ ${minBulk.toFixed(1)}`, values: [] };
    }),
  ];
  const add = (index: number, value: number) => void must(lines[index], 'a line').values.push(value);
  await downloadRate(tunnel, PATH, 1); // warm-up
  for (let round = 0; round < effort.rounds; round++) {
    const base = await downloadRate(haproxy, PATH, 1);
    const own = await downloadRate(tunnel, PATH, 1);
    add(0, own / base);
    const baseOfTwo = await downloadRate(haproxy, PATH, 2);
    add(1, (await downloadRate(tunnel, PATH, 2)) / baseOfTwo);
    const ownTcp = await downloadRate(tunnelTcp, PATH, 1);
    for (const [index, rival] of rivals.entries()) {
      const theirs = await downloadRate(rival.address, PATH, 1);
      add(index + 2, (rival.layer === 'http' ? own : ownTcp) / theirs);
    }
  }
  return lines;
}
