import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { freePort } from '@tongtu/base/testing/free-port';
import type { DeviceRoutes } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { openFrpcHouse } from '../../testing/frpc-house.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from '../../testing/start-test-relay.ts';
import { peerToken } from '../../tunnels/peer-proof.ts';

const page = 'nas.example.test';
const body = randomBytes(4 * 1024 * 1024);

/** A frpc at the first of two relay processes. The second one knows the device as well. */
async function openTwoRelays() {
  await using stack = new AsyncDisposableStack();
  const lan = stack.use(
    await startLanService((incoming, response) => {
      if (incoming.url === '/big') return void response.end(body);
      const hash = createHash('sha256');
      incoming.on('data', (chunk: Buffer) => hash.update(chunk));
      incoming.on('end', () => response.end(`${incoming.method} ${hash.digest('hex')}`));
    }),
  );
  const other = stack.use(await startTestRelay());
  const targets = {
    [page]: { targetHost: '127.0.0.1', targetPort: lan.port },
    'away.example.test': { targetHost: '127.0.0.1', targetPort: await freePort() },
  };
  const changes = { frpcPeerPorts: [other.relay.tunnelPort] };
  const house = stack.use(await openFrpcHouse(targets, { changes }));
  other.server.put(house.device);
  const opened = stack.move();
  return { house, other, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function isOnlineAt({ server }: TestRelay, online: boolean): Promise<void> {
  await server.waitFor('presence', ({ events }) => events.some((event) => event.online === online));
}

function visit(
  { relay }: TestRelay,
  path: string,
  { host = page, sent }: { host?: string; sent?: Buffer } = {},
): Promise<{ status: number; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const method = sent === undefined ? 'GET' : 'PUT';
    request({ port: relay.httpPort, host: '127.0.0.1', path, method, headers: { host }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end(sent);
  });
}

test('another relay process serves the visitors of a frpc, as long as that is connected', async () => {
  await using both = await openTwoRelays();
  const { house, other } = both;
  const frpc = await house.connect();
  await isOnlineAt(other, true);
  const { events } = await other.server.waitFor('presence');
  expect(events[0]).toMatchObject({ agentVersion: 'frpc 0.61.0', platform: 'linux mips', publicIp: '127.0.0.1' });

  expect((await visit(other, '/big')).bytes.equals(body)).toBe(true);
  const hash = createHash('sha256').update(body).digest('hex');
  expect((await visit(other, '/', { sent: body })).bytes.toString()).toBe(`PUT ${hash}`);
  expect((await visit(other, '/', { host: 'away.example.test' })).status).toBe(502);
  const { deviceId, routes } = house.device;
  for (const [correlation, seen] of [
    [1, 'status_200'],
    [2, 'refused'],
  ] as const) {
    const mappingId = routes[correlation - 1]?.mappingId ?? 0;
    other.server.send({ type: 'probe', correlation, deviceId, mappingId });
    const { result } = await other.server.waitFor('probe_result', (answer) => answer.correlation === correlation);
    expect(result.seen).toBe(seen);
  }
  other.server.send({ type: 'wake', correlation: 3, deviceId, mac: 'd8:bb:c1:0a:2f:e4' });
  const { result } = await other.server.waitFor('probe_result', ({ correlation }) => correlation === 3);
  expect(result).toMatchObject({ step: 'agent', seen: 'frpc_no_wake' });

  // The plugin's targets get no PROXY header.
  expect(frpc.starts.every(({ src_port: port }) => port === 0)).toBe(true);

  await frpc[Symbol.asyncDispose]();
  await isOnlineAt(other, false);
  expect((await visit(other, '/')).status).toBe(503);
});

test('a relay that is started again finds the frpc again', async () => {
  await using both = await openTwoRelays();
  const { house, other } = both;
  await house.connect();
  await isOnlineAt(other, true);
  const sessions = other.server.received.length;
  // As at a restart: the other process ends its tunnels.
  other.server.remove(house.device.deviceId);
  await isOnlineAt(other, false);
  other.server.put(house.device);
  while (!other.server.received.slice(sessions).some((m) => m.type === 'presence' && m.events.some((e) => e.online)))
    await other.server.waitFor('presence', () => true).then(() => new Promise(setImmediate));
  expect((await visit(other, '/big')).status).toBe(200);
});

test('only who has the secret of the frpc stands in for it', async () => {
  await using both = await openTwoRelays();
  const { house, other } = both;
  const key = createAgentKey();
  const login = { publicKey: key.publicKey, relayPin: other.relayPin };
  const another = createAgentKey().publicKey;
  const tokens: [string, DeviceRoutes, string][] = [
    ['another secret', { ...house.device, frpcToken: 'guessed' }, key.publicKey],
    ['no secret', { ...house.device, frpcToken: '' }, key.publicKey],
    ['another key', house.device, another],
    ['another device', { ...house.device, deviceId: house.device.deviceId + 1 }, key.publicKey],
  ];
  for (const [what, device, publicKey] of tokens) {
    await using agent = other.openAgent({ key, token: peerToken(device, { ...login, publicKey }) });
    expect(await agent.waitFor('refused'), what).toMatchObject({ code: 'enrolment.token-invalid' });
  }
  await using agent = other.openAgent({ key, token: peerToken(house.device, login) });
  await agent.waitFor('welcome');

  // Nor does an agent decide how visitors are served.
  const ordinaryKey = createAgentKey();
  other.server.put(testDevice(ordinaryKey, {}));
  await using ordinary = other.openAgent({ key: ordinaryKey });
  await ordinary.waitFor('welcome');
  for (const each of [agent, ordinary]) each.send({ type: 'http_rules', mappingId: 1, rules: null });
  await ordinary.waitClosed();
  expect(agent.isClosed).toBe(false);
});
