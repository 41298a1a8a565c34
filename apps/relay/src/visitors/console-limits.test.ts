import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { RawClient } from '../testing/clients/raw-client.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from '../testing/start-test-relay.ts';

/** A console that answers nothing but `/ready`. */
async function startWaiting(
  limits: Parameters<typeof startTestRelay>[0],
): Promise<TestRelay & { waiting: () => number }> {
  const t = await startTestRelay(limits);
  let waiting = 0;
  t.server.handlers.page = (request, response) => {
    if (request.url === '/ready') return void response.end('ready');
    waiting++;
    response.on('close', () => waiting--);
  };
  return Object.assign(t, { waiting: () => waiting });
}

function ask(t: TestRelay, localAddress: string, path: string): RawClient {
  const visitor = new RawClient(connect({ port: t.relay.httpPort, host: '127.0.0.1', localAddress }));
  visitor.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return visitor;
}

test('one visitor gets only its share of the console, on any number of connections, and others are served', async () => {
  await using t = await startWaiting({ maxStreamsPerVisitor: 5, maxWaitingPerVisitor: 0 });
  await using first = new Http2Client(t.relay.tlsPort, 'localhost');
  await using second = new Http2Client(t.relay.tlsPort, 'localhost');
  const open = (client: Http2Client) => client.open({ ':path': '/upload', ':method': 'POST' }, { endStream: false });
  const streams = [first, first, first, second, second].map(open);
  await expect.poll(t.waiting).toBe(5);
  for (const client of [first, second]) expect((await client.fetch('/ready')).status).toBe(429);
  await using turnedAway = ask(t, '127.0.0.1', '/ready');
  expect(await turnedAway.untilEnd()).toMatch(/^HTTP\/1\.1 429 /);
  await using other = ask(t, '127.0.0.7', '/ready');
  expect(await other.untilEnd()).toMatch(/ready$/);

  for (const stream of streams) stream.close();
  await expect.poll(async () => (await second.fetch('/ready')).status).toBe(200);
});

test('all visitors together have a limit of streams to the console, and each that ends makes room', async () => {
  await using t = await startWaiting({ maxConsoleStreams: 3 });
  const open = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((address) => ask(t, address, '/wait'));
  await expect.poll(t.waiting).toBe(3);
  await using turnedAway = ask(t, '127.0.0.5', '/ready');
  expect(await turnedAway.untilEnd()).toMatch(/^HTTP\/1\.1 503 /);

  open[0]?.socket.resetAndDestroy();
  const again = async () => {
    await using visitor = ask(t, '127.0.0.5', '/ready');
    return await visitor.untilEnd();
  };
  await expect.poll(again).toMatch(/ready$/);
  // The idle stream for the next visitor does not count.
  for (let turn = 0; turn < 5; turn++) expect(await again()).toMatch(/ready$/);
  for (const visitor of open) visitor.socket.resetAndDestroy();
});

test('a body that comes byte by byte to the console gets 408, over HTTP/1 and HTTP/2, and a slow one that moves does not', async () => {
  await using t = await startWaiting({ consoleBodyMs: 80, consoleBodyBytesPerSecond: 1_000 });
  const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n`;
  await using slow = new RawClient(connect({ port: t.relay.httpPort, host: '127.0.0.1' }));
  slow.send(head('/wait'));
  await using moving = new RawClient(connect({ port: t.relay.httpPort, host: '127.0.0.1' }));
  moving.send(head('/wait') + 'x'.repeat(4_000));
  await using browser = new Http2Client(t.relay.tlsPort, 'localhost');
  const stream = browser.open({ ':path': '/wait', ':method': 'POST', 'content-length': 5_000 }, { endStream: false });
  const dripping = setInterval(() => {
    slow.send('x');
    stream.write('x');
  }, 10);
  const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
  expect(headers[':status']).toBe(408);
  expect(await slow.untilEnd()).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(dripping);
  stream.close();
  await expect.poll(t.waiting).toBe(1);
  moving.socket.resetAndDestroy();
});

test('a body that comes byte by byte to a device is not timed', async () => {
  await using t = await startWaiting({ consoleBodyMs: 20 });
  let received = 0;
  await using lan = await startLanService((request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () => response.end('all'));
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = new RawClient(connect({ port: t.relay.httpPort, host: '127.0.0.1' }));
  visitor.send('POST / HTTP/1.1\r\nHost: nas.localhost\r\nContent-Length: 20\r\nConnection: close\r\n\r\n');
  for (let sent = 0; sent < 20; sent++) {
    visitor.send('x');
    await expect.poll(() => received).toBe(sent + 1);
  }
  expect(await visitor.untilEnd()).toMatch(/all$/);
});
