import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { RawClient } from '../testing/clients/raw-client.ts';
import { startTestRelay, type TestRelay } from '../testing/start-test-relay.ts';

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
  await using t = await startWaiting({ maxStreamsPerVisitor: 5 });
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
