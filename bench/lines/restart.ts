import { connect } from 'node:net';
import { startProduct } from '../../e2e/support/product.ts';
import { ApiClient } from '../../e2e/support/api-client.ts';
import type { Bench } from '../support/open-bench.ts';
import type { Line } from '../support/report.ts';
import { startSwarm } from '../support/swarm.ts';

const DEVICES = 1_000;
const TRY_EVERY_MS = 20;

/** The whole product ends and is started again: how long after the return of its relay the last device is back. */
export async function measureRestart({ effort }: Bench): Promise<Line[]> {
  const count = Math.min(DEVICES, effort.idleDevices);
  const options = { args: ['--no-local-agent'] };
  const before = await startProduct(options);
  await using parts = new AsyncDisposableStack();
  parts.use(before);
  const { token } = await new ApiClient(before).logIn();
  const { ports, dataDir, consoleUrl } = before;
  const swarm = parts.use(await startSwarm({ port: ports.tunnel, consoleUrl, token }));
  await swarm.connect(count);

  await before.child[Symbol.asyncDispose]();
  const endedAtMs = performance.now();
  const starting = startProduct({ ...options, ports, dataDir });
  starting.catch(() => {}); // rejects below
  await waitUntilOpen(ports.tunnel);
  const openAtMs = performance.now();
  await swarm.waitForAll();
  const backAtMs = performance.now();
  parts.use(await starting);
  return [
    { name: 'restart: relay away', unit: 's', target: '—', values: [(openAtMs - endedAtMs) / 1000] },
    {
      name: `restart: last of ${count} devices back after the relay`,
      unit: 's',
      target: '≤ 3',
      values: [(backAtMs - openAtMs) / 1000],
    },
  ];
}

async function waitUntilOpen(port: number): Promise<void> {
  while (!(await canConnect(port))) await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
