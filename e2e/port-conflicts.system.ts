import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Device, Mapping } from '@tongtu/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { freePorts } from '@tongtu/base/testing/free-port';
import { startTcpService } from './support/services/port-services.ts';
import { tryPort } from './support/clients/port-visitor.ts';
import { findRelayPids } from './support/product/processes.ts';
import { startProduct, type Product } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

const GREETING = 'hello from the LAN';

let product: Product;
let client: ApiClient;
let device: Device;
let publicPort: number;
let otherPort: number;

beforeAll(async () => {
  [publicPort, otherPort] = (await freePorts(2)) as [number, number]; // two were requested
  const env = {
    RELAY_PROCESSES: '2',
    MAPPING_PORTS: `${publicPort}-${otherPort}`,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
  };
  product = await startProduct({ env });
  client = new ApiClient(product);
  await client.logIn();
  ({ device } = await client.waitForWelcomeDevice());
});

afterAll(async () => await product?.[Symbol.asyncDispose]());

beforeEach(({ task }) => saveLogOnFailure(`conflicts-${task.name.slice(0, 30).replaceAll(' ', '-')}`, product.child));

async function relayPids(): Promise<number[]> {
  return [...(await findRelayPids(product.child.pid)).values()].sort((a, b) => a - b);
}

async function mapPort(targetPort: number): Promise<Mapping> {
  const target = `tcp://127.0.0.1:${targetPort}`;
  return await client.createMapping({ router: device.id, kind: 'tcp', port: publicPort, target, policy: 'public' });
}

async function change({ id }: Mapping, changes: Partial<Mapping>): Promise<void> {
  expect((await client.call('PATCH', `/api/user/records/${id}/`, changes)).status).toBe(200);
}

async function remove({ id }: Mapping): Promise<void> {
  expect((await client.call('DELETE', `/api/user/records/${id}/`)).status).toBe(200);
}

async function isGreeted(port: number): Promise<boolean> {
  const { socket } = (await tryPort(port, '127.0.0.1')) ?? {};
  if (socket === undefined) return false;
  const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown];
  socket.destroy();
  return String(answer) === GREETING;
}

function countOf(pattern: RegExp): number {
  return product.child.output.match(pattern)?.length ?? 0;
}

test('a TCP port that another program has ends no relay process, and opens in all of them once it is free', async () => {
  await using service = await startTcpService((socket) => socket.write(GREETING));
  const pids = await relayPids();
  expect(pids).toHaveLength(2);
  const squatter = createServer().listen(publicPort, '127.0.0.1');
  await once(squatter, 'listening');
  const mapping = await mapPort(service.port);
  await waitFor('both relays have met the conflict', 30_000, () => countOf(/cannot be opened/g) === 2);
  for (let round = 2; round <= 3; round++) {
    await change(mapping, { enabled: false });
    await change(mapping, { enabled: true });
    await waitFor('both relays have tried again', 30_000, () => countOf(/cannot be opened/g) === 2 * round);
  }

  squatter.close();

  await waitFor('both relays have opened the port', 30_000, () => countOf(/public port is open now/g) === 2);
  expect(await isGreeted(publicPort)).toBe(true);
  expect(await relayPids()).toEqual(pids);
  await remove(mapping);
  await waitFor('the port is closed', 30_000, async () => (await tryPort(publicPort, '127.0.0.1')) === undefined);
});

test('a TCP port that comes and goes faster than it can be opened ends no relay process', async () => {
  await using service = await startTcpService((socket) => socket.write(GREETING));
  const pids = await relayPids();
  const mapping = await mapPort(service.port);

  for (let round = 0; round < 20; round++) {
    await Promise.all([change(mapping, { enabled: false }), change(mapping, { enabled: true })]);
    await Promise.all([change(mapping, { port: otherPort }), change(mapping, { port: publicPort })]);
  }
  await change(mapping, { enabled: true, port: publicPort });

  await waitFor('visitors are served', 30_000, () => isGreeted(publicPort));
  expect(await relayPids()).toEqual(pids);
  await remove(mapping);
});
