import { connect } from 'node:net';
import { startProduct } from '../../e2e/support/product/product.ts';
import { ApiClient } from '../../e2e/support/clients/api-client.ts';
import type { Bench } from '../support/open-bench.ts';
import type { Line } from '../support/report.ts';
import { startSwarm } from '../support/swarm.ts';

const DEVICES = 1_000;
const TRY_EVERY_MS = 20;
const STAYS_MS = 200;
/** An agent treats a session that ends sooner as failed, and waits longer before it reconnects. */
const SETTLED_AFTER_MS = 6_000;

/** Restarts the whole product, and measures the time from the return of its relay to that of the last device. */
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
  await new Promise((resolve) => setTimeout(resolve, SETTLED_AFTER_MS));

  const refusedBefore = swarm.refused();
  await before.child[Symbol.asyncDispose]();
  const endedAtMs = performance.now();
  const starting = startProduct({ ...options, ports, dataDir });
  starting.catch(() => {}); // rejects below
  const openAtMs = await waitUntilOpen(ports.tunnel);
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
    {
      name: 'restart: logins refused meanwhile',
      unit: 'requests',
      target: '0',
      values: [swarm.refused() - refusedBefore],
    },
  ];
}

/** When connections are accepted again. A starting relay binds its ports for a moment to check that they are free. */
async function waitUntilOpen(port: number): Promise<number> {
  for (;;) {
    const triedAtMs = performance.now();
    if (await staysConnected(port)) return triedAtMs;
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
  }
}

function staysConnected(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => setTimeout(() => socket.destroy(), STAYS_MS));
    socket.once('error', () => {}); // 'close' follows
    const startedAtMs = performance.now();
    socket.once('close', () => resolve(performance.now() - startedAtMs >= STAYS_MS));
    socket.resume();
  });
}
