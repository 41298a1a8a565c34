import { createServer, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startRelay } from './start-relay.ts';
import { openRawClient } from './testing/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from './testing/start-test-relay.ts';
import { testCertificate } from './testing/test-certificate.ts';

const config = (ports: { httpPort: number; tlsPort: number; tunnelPort: number }) => ({
  relayId: 'test',
  listen: { host: '127.0.0.1', ...ports },
  tls: { edge: testCertificate, tunnel: testCertificate },
  upstream: { host: '127.0.0.1', port: 9 },
  control: { url: 'ws://127.0.0.1:9/', secret: 'x' },
  consoleUrl: 'http://localhost:8080',
  isConsoleHost: () => false,
});

test.each(['httpPort', 'tlsPort', 'tunnelPort'])(
  'a %s that is taken is named, and nothing stays open',
  async (which) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo; // it listens on TCP
    const start = startRelay(
      config({ httpPort: 0, tlsPort: 0, tunnelPort: 0, [which]: port }),
      pino({ level: 'silent' }),
    );
    await expect(start).rejects.toMatchObject({
      code: 'EADDRINUSE',
      port,
      message: expect.stringContaining(String(port)),
    });
    await new Promise((resolve) => taken.close(resolve));
  },
);

test('without a server the ports are open and visitors are told to wait', async () => {
  await using relay = await startRelay(config({ httpPort: 0, tlsPort: 0, tunnelPort: 0 }), pino({ level: 'silent' }));
  await using visitor = openRawClient(relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n');
  expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 503 /);
});

test('at a stop an open request is answered to its end, an idle connection ends at once, and no new one is taken', async () => {
  await using t = await startTestRelay({ drainMs: 10_000 });
  let finish = () => {};
  await using lan = await startLanService((_request, response) => {
    response.write('first ');
    finish = () => response.end('last');
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using busy = openRawClient(t.relay.httpPort);
  await using idle = openRawClient(t.relay.httpPort);
  idle.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await idle.until(/console:/);
  busy.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await busy.until(/first /);
  const stopped = t.relay[Symbol.asyncDispose]();
  await idle.untilEnd();
  await using late = openRawClient(t.relay.httpPort);
  expect(await late.untilEnd()).toBe('');
  finish();
  // In chunks, because the head was sent before anybody knew of the stop.
  expect(await busy.untilEnd()).toMatch(/first [^]*last\r\n0\r\n\r\n$/);
  await stopped;
});

test('a request that never ends does not hold up a stop for longer than it may', async () => {
  await using t = await startTestRelay({ drainMs: 50 });
  await using lan = await startLanService((_request, response) => void response.write('endless'));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await visitor.until(/endless/);
  await t.relay[Symbol.asyncDispose]();
  await visitor.untilEnd();
  expect(visitor.hasEnded).toBe(true);
});
