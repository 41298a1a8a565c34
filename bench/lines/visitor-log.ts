import { requestsPerSecond } from '../support/load.ts';
import type { Bench } from '../support/open-bench.ts';
import { relayTicks } from '../support/relay-memory.ts';
import type { Line } from '../support/report.ts';

const PATH = '/1k';

type Cost = { perSecond: number; ticksPerRequest: number };

/** What the visitor log costs the same mapping: off, on, on, off, so that a machine that becomes slower favours neither. */
export async function measureVisitorLog({ effort, product, tunnel, setVisitLog }: Bench): Promise<Line[]> {
  const { rounds, seconds } = effort;
  const speed: Line = { name: '1 KB requests/s, visitor log on ÷ off', unit: '×', target: '≥ 0.97', values: [] };
  const cost: Line = { name: 'relay CPU per request, log on ÷ off', unit: '×', target: '≤ 1.03', values: [] };
  const measure = async (days: 0 | 7): Promise<Cost> => {
    await setVisitLog(days);
    const before = await relayTicks(product);
    const perSecond = await requestsPerSecond(tunnel, PATH, seconds);
    return { perSecond, ticksPerRequest: ((await relayTicks(product)) - before) / (perSecond * seconds) };
  };
  await measure(0); // warm-up
  for (let round = 0; round < rounds; round++) {
    const [off, on, onAgain, offAgain] = [await measure(0), await measure(7), await measure(7), await measure(0)];
    speed.values.push((on.perSecond + onAgain.perSecond) / (off.perSecond + offAgain.perSecond));
    cost.values.push((on.ticksPerRequest + onAgain.ticksPerRequest) / (off.ticksPerRequest + offAgain.ticksPerRequest));
  }
  await setVisitLog(0);
  return [speed, cost];
}
