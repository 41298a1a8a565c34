import { randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { certificatePin } from '@tongtu/tunnel';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startRelay } from '../start-relay.ts';
import { type FakeServer, startFakeServer, testSecret } from '../testing/fake-server.ts';
import { testDevice } from '../testing/start-test-relay.ts';
import { createAgentKey, TestAgent } from '../testing/test-agent.ts';
import { testCertificate } from '../testing/test-certificate.ts';

const relayPin = certificatePin(new X509Certificate(testCertificate.cert));

/** A relay whose server has not sent the routes yet. */
async function startRelayWithoutRoutes() {
  await using parts = new AsyncDisposableStack();
  const server: FakeServer = parts.use(await startFakeServer(randomBytes(32)));
  server.sendsSnapshots = false;
  const relay = parts.use(
    await startRelay(
      {
        relayId: 'test',
        listen: { host: '127.0.0.1', httpPort: 0, tlsPort: 0, tunnelPort: 0 },
        tls: { edge: testCertificate, tunnel: testCertificate },
        upstream: { host: '127.0.0.1', port: server.port },
        control: { url: `ws://127.0.0.1:${server.port}/internal/relay-control/`, secret: testSecret },
        consoleUrl: 'http://localhost:8080',
        isConsoleHost: () => false,
        limits: { drainMs: 200 },
      },
      pino({ level: 'silent' }),
    ),
  );
  const running = parts.move();
  return { relay, server, parts: running, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

test('agents that connect before the relay has its routes wait, and all are admitted', async () => {
  await using t = await startRelayWithoutRoutes();
  await t.server.waitFor('hello');
  const keys = Array.from({ length: 200 }, () => createAgentKey());
  const agents = keys.map((key) => t.parts.use(new TestAgent({ port: t.relay.tunnelPort, relayPin, key })));
  // The last of them has arrived once another connection has.
  const probe = connect(t.relay.tunnelPort, '127.0.0.1');
  await once(probe, 'connect');
  expect(agents.flatMap(({ messages }) => messages)).toEqual([]);

  t.server.sendSnapshotPart({ devices: keys.map((key) => testDevice(key, {})) });

  await Promise.all(agents.map((agent) => agent.waitFor('welcome')));
  expect(t.relay.deviceCount).toBe(200);
  probe.destroy();
});

test('silent connections do not keep a device out', async () => {
  await using t = await startRelayWithoutRoutes();
  const silent = Array.from({ length: 200 }, () => connect(t.relay.tunnelPort, '127.0.0.1'));
  for (const socket of silent) socket.on('error', () => {}); // the relay's stop cuts them
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  const key = createAgentKey();
  await t.server.waitFor('hello');
  t.server.sendSnapshotPart({ devices: [testDevice(key, {})] });
  const agent = t.parts.use(new TestAgent({ port: t.relay.tunnelPort, relayPin, key }));
  expect(await agent.waitFor('welcome')).toBeDefined();
  for (const socket of silent) socket.destroy();
});
