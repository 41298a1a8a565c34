import { residentBytes } from '../../e2e/support/product/processes.ts';
import { Children } from '../support/children.ts';
import { timeOne } from '../support/load.ts';
import type { Bench } from '../support/open-bench.ts';
import { relayMemory } from '../support/relay-memory.ts';
import type { Line } from '../support/report.ts';
import type { Rival } from '../support/rivals.ts';
import { startSwarm } from '../support/swarm.ts';
import { startVisits } from '../support/visits.ts';

/** Each client of another tunnel is a process, so there are fewer of them. */
const RIVAL_DEVICES = 200;
const RIVAL_SETTLES_MS = 10_000;

/** Idle devices: the relay's memory for each, and how fast all reconnect after their connections were ended. */
export async function measureIdleDevices({ effort, product, token, tunnel, rivals }: Bench): Promise<Line[]> {
  const count = effort.idleDevices;
  await using swarm = await startSwarm({ port: product.ports.tunnel, consoleUrl: product.consoleUrl, token });
  // The first devices cause growth that does not depend on their number.
  await swarm.connect(count / 10);
  const beforeBytes = await relayMemory(product);
  await swarm.connect(count);
  const perDeviceKb = ((await relayMemory(product)) - beforeBytes) / 1024 / count;

  const rivalLines: Line[] = [];
  for (const { name, startIdle } of rivals) {
    if (startIdle === undefined) continue;
    const ratio = perDeviceKb / (await rivalMemory(startIdle));
    rivalLines.push({ name: `memory per idle device ÷ ${name}`, unit: '×', target: '≤ 1.0', values: [ratio] });
  }

  const visits = startVisits(() => timeOne(tunnel, '/1k', false));
  const refusedBefore = swarm.refused();
  const startedAtMs = performance.now();
  await swarm.dropAll();
  await swarm.waitForAll();
  const backSeconds = (performance.now() - startedAtMs) / 1000;
  const { failed, p50Ms, p99Ms, slowestMs } = await visits.stop();
  return [
    { name: 'relay memory per idle device', unit: 'KB', target: '≤ 64', values: [perDeviceKb] },
    ...rivalLines,
    { name: `${count} devices dropped at once, all back`, unit: 's', target: '≤ 15', values: [backSeconds] },
    { name: 'logins refused meanwhile', unit: 'requests', target: '0', values: [swarm.refused() - refusedBefore] },
    { name: 'visits that failed meanwhile', unit: 'requests', target: '0', values: [failed] },
    { name: 'visit meanwhile, p50', unit: 'ms', target: '—', values: [p50Ms] },
    { name: 'visit meanwhile, p99', unit: 'ms', target: '—', values: [p99Ms] },
    { name: 'visit meanwhile, slowest', unit: 'ms', target: '≤ 250', values: [slowestMs] },
  ];
}

/** Kilobytes for each further device at another tunnel's server, without the initial growth. */
async function rivalMemory(startIdle: NonNullable<Rival['startIdle']>): Promise<number> {
  await using children = new Children();
  const { serverPid, addDevice } = await startIdle(children);
  async function add(count: number): Promise<number> {
    for (let n = 0; n < count; n++) addDevice();
    await new Promise((resolve) => setTimeout(resolve, RIVAL_SETTLES_MS));
    return residentBytes(serverPid);
  }
  const beforeBytes = await add(RIVAL_DEVICES / 10);
  return ((await add(RIVAL_DEVICES)) - beforeBytes) / 1024 / RIVAL_DEVICES;
}
