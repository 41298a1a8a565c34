import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { freePort } from '@tongtu/base/testing/free-port';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startRelay } from './start-relay.ts';
import { Http2Client } from './testing/clients/http2-client.ts';
import { openRawClient, RawClient } from './testing/clients/raw-client.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from './testing/start-test-relay.ts';
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
  'the error names a %s that is in use, and nothing stays open',
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

test('without a server the ports are open and visitors are asked to wait', async () => {
  await using relay = await startRelay(config({ httpPort: 0, tlsPort: 0, tunnelPort: 0 }), pino({ level: 'silent' }));
  await using visitor = openRawClient(relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n');
  expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 503 /);
});

test('a relay that stops finishes open requests, ends idle connections, and accepts no new ones', async () => {
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
  // In chunks, because the head was sent before the stop.
  expect(await busy.untilEnd()).toMatch(/first [^]*last\r\n0\r\n\r\n$/);
  await stopped;
});

test('a WebSocket that is open when the relay stops may finish, too', async () => {
  await using t = await startTestRelay({ drainMs: 10_000 });
  await using lan = await startLanService((_request, response) => response.end());
  let finish = () => {};
  lan.server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {}); // of being cut
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst ');
    finish = () => socket.end('last');
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await visitor.until(/first /);
  const stopped = t.relay[Symbol.asyncDispose]();
  await using late = openRawClient(t.relay.httpPort);
  expect(await late.untilEnd()).toBe('');
  finish();
  expect(await visitor.untilEnd()).toMatch(/first last$/);
  visitor.socket.end();
  await stopped;
});

test('a request that never ends delays a stop only for the drain time', async () => {
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

test('a relay that hands over answers each open connection once more, with Connection: close', async () => {
  await using t = await startTestRelay({ drainMs: 10_000 });
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await visitor.until(/console:\/1$/);
  await using fresh = openRawClient(t.relay.httpPort);
  await once(fresh.socket, 'connect');

  const over = t.relay.handOver();
  await using late = openRawClient(t.relay.httpPort);
  expect(await late.untilEnd()).toBe('');
  visitor.send('GET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  fresh.send('GET /3 HTTP/1.1\r\nHost: localhost\r\n\r\n');

  expect(await visitor.untilEnd()).toMatch(/console:\/1HTTP\/1\.1 200 [^]*connection: close[^]*console:\/2$/i);
  expect(await fresh.untilEnd()).toMatch(/connection: close[^]*console:\/3$/i);
  await over;
});

test('a stop ends the wait of a hand-over', async () => {
  await using t = await startTestRelay({ drainMs: 60_000 });
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await visitor.until(/console:/);
  const over = t.relay.handOver();
  await t.relay[Symbol.asyncDispose]();
  await over;
  await visitor.untilEnd();
});

test('a visitor in the middle of its handshake is served when the relay hands over', async () => {
  await using t = await startTestRelay({ drainMs: 10_000 });
  const tcp = connect(t.relay.tlsPort, '127.0.0.1');
  await once(tcp, 'connect');
  // The relay has the connection as soon as it has answered another one.
  await using other = openRawClient(t.relay.httpPort);
  other.send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await other.untilEnd();

  const over = t.relay.handOver();
  await using visitor = new RawClient(connectTls({ socket: tcp, servername: 'localhost', rejectUnauthorized: false }));
  visitor.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');

  expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*console:/i);
  await over;
});

/** A visitor in the middle of its handshake when the relay has handed over, and the time for idle connections is up. */
async function handOverInHandshake(t: TestRelay) {
  const tcp = connect(t.relay.tlsPort, '127.0.0.1');
  await once(tcp, 'connect');
  // The relay has the connection as soon as it has answered another one.
  await using other = openRawClient(t.relay.httpPort);
  other.send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await other.untilEnd();
  const over = t.relay.handOver();
  void t.relay[Symbol.asyncDispose]();
  return { over, openHttp2: () => Http2Client.over(tcp, 'localhost') };
}

test('a visitor of HTTP/2 gets its answers during a hand-over, and then a GOAWAY', async () => {
  await using t = await startTestRelay({ drainMs: 600_000 });
  const { over, openHttp2 } = await handOverInHandshake(t);
  await using visitor = openHttp2();
  const closed = once(visitor.session, 'close');
  const answers = await Promise.all(['/1', '/2', '/3'].map((path) => visitor.fetch(path)));
  expect(answers.map(({ body }) => String(body))).toEqual(['console:/1', 'console:/2', 'console:/3']);
  await closed;
  await over;
});

test('a visitor of HTTP/2 without a request delays a hand-over no longer than the head timeout', async () => {
  await using t = await startTestRelay({ drainMs: 600_000, headTimeoutMs: 50 });
  const { over, openHttp2 } = await handOverInHandshake(t);
  await using _visitor = openHttp2();
  await over;
});

test('a restarted relay beside others takes visitors once its devices are connected', async () => {
  const [httpPort, tlsPort] = [await freePort(), await freePort()];
  const listen = { host: '127.0.0.1', httpPort, tlsPort, tunnelPort: 0 };
  const key = createAgentKey();
  await using lan = await startLanService((_request, response) => response.end('lan'));
  await using t = await startTestRelay({}, pino({ level: 'silent' }), {
    listen,
    warmUp: { devices: 1, timeoutMs: 60_000 },
  });
  await using early = openRawClient(httpPort);
  expect(await early.untilEnd()).toBe('');

  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await t.relay.whenOpen();

  await using visitor = openRawClient(httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n');
  expect(await visitor.untilEnd()).toMatch(/lan$/);
});

test('agents learn every relay, and reconnect to a stopping one at different times', async () => {
  const tunnels = [
    { host: '', port: 7000 },
    { host: 'other.example', port: 7001 },
  ];
  await using t = await startTestRelay({}, pino({ level: 'silent' }), { tunnels });
  const keys = [createAgentKey(), createAgentKey()];
  const agents = await Promise.all(keys.map((key) => t.connectDevice(testDevice(key, {}), key)));
  expect(await agents[0]?.waitFor('welcome')).toMatchObject({ tunnels });

  await t.relay[Symbol.asyncDispose]();

  for (const agent of agents) {
    const { retryAfterMs } = await agent.waitFor('bye');
    expect(retryAfterMs).toBeGreaterThanOrEqual(500);
    expect(retryAfterMs).toBeLessThanOrEqual(500 + agents.length);
  }
});
