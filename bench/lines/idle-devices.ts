import { timeOne } from '../support/load.ts';
import type { Bench } from '../support/open-bench.ts';
import { relayMemory } from '../support/relay-memory.ts';
import type { Line } from '../support/report.ts';
import { startSwarm } from '../support/swarm.ts';

const VISIT_EVERY_MS = 50;

/** Devices that are connected and do nothing: what each costs the relay, and how they come back when all are dropped. */
export async function measureIdleDevices({ effort, product, token, tunnel }: Bench): Promise<Line[]> {
  const count = effort.idleDevices;
  const beforeBytes = await relayMemory(product);
  await using swarm = await startSwarm({ port: product.ports.tunnel, consoleUrl: product.consoleUrl, token });
  await swarm.connect(count);
  const perDeviceKb = ((await relayMemory(product)) - beforeBytes) / 1024 / count;

  const visits = startVisits(() => timeOne(tunnel, '/1k', false));
  const startedAtMs = performance.now();
  await swarm.dropAll();
  await swarm.waitForAll();
  const backSeconds = (performance.now() - startedAtMs) / 1000;
  const { failed, slowestMs } = await visits.stop();
  return [
    { name: 'relay memory per idle device', unit: 'KB', target: '≤ 64', values: [perDeviceKb] },
    { name: `${count} devices dropped at once, all back`, unit: 's', target: '≤ 30', values: [backSeconds] },
    { name: 'visits that failed meanwhile', unit: 'requests', target: '0', values: [failed] },
    { name: 'slowest visit meanwhile', unit: 'ms', target: '—', values: [slowestMs] },
  ];
}

/** One visitor after the other, until told to stop. */
function startVisits(visit: () => Promise<number>): { stop: () => Promise<{ failed: number; slowestMs: number }> } {
  let isStopped = false;
  let failed = 0;
  let slowestMs = 0;
  const done = (async () => {
    while (!isStopped) {
      const ms = await visit().catch(() => undefined); // counted, whatever went wrong
      if (ms === undefined) failed++;
      else slowestMs = Math.max(slowestMs, ms);
      await new Promise((resolve) => setTimeout(resolve, VISIT_EVERY_MS));
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await done;
      return { failed, slowestMs };
    },
  };
}
