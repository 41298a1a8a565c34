import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { freePort } from '@tongtu/base/testing/free-port';
import type { DeviceRoutes, Route } from '@tongtu/contract';
import { expect, onTestFinished, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { makeCertificate } from '../testing/make-certificate.ts';
import { endOf, openUdpPeer, startTcpService, startUdpEcho, visitPort } from '../testing/port-services.ts';
import { RawClient } from '../testing/clients/raw-client.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from '../testing/start-test-relay.ts';
import { tlsVisit } from '../testing/clients/tls-visit.ts';

const program = 'User-Agent: backup/1.0\r\n';

/** A device with one mapping and an open client window, and a server that marks the first reported client. */
async function openWindow(t: TestRelay, targetPort: number, route: Partial<Route> = {}) {
  const host = route.kind === 'tcp' || route.kind === 'udp' ? '' : 'nas.localhost';
  const key = createAgentKey();
  const clientWindowUntilMs = Date.now() + 120_000;
  const device = testDevice(key, { [host]: targetPort }, { policy: 'owner', clientWindowUntilMs, ...route });
  const after = (changes: Partial<Route>): DeviceRoutes => ({
    ...device,
    routes: device.routes.map((known) => ({ ...known, ...changes })),
  });
  let isClaimed = false;
  t.server.handlers.mark = ({ ip }) => {
    if (isClaimed) return 'gate.window-over';
    isClaimed = true;
    const verifiedIps = [{ verificationId: 9, ip, expiresAtMs: Date.now() + 3_600_000 }];
    return after({ verifiedIps, clientWindowUntilMs: null });
  };
  await t.connectDevice(device, key);
  return { device, after, mappingId: device.routes[0]?.mappingId };
}

function openFrom(address: string, port: number): RawClient {
  return new RawClient(connect({ port, host: '127.0.0.1', localAddress: address, allowHalfOpen: true }));
}

function asked(t: TestRelay): string[] {
  return t.server.received.flatMap((message) => (message.type === 'mark_client' ? [message.ip] : []));
}

async function startEcho() {
  return await startLanService((request, response) => {
    response.write(`${request.method} ${request.url} `);
    request.pipe(response);
  });
}

test('the first client passes with its first request and body; the next client is refused', async () => {
  await using t = await startTestRelay();
  await using lan = await startEcho();
  const { mappingId } = await openWindow(t, lan.port);

  await using first = openFrom('127.0.0.1', t.relay.httpPort);
  first.send(`POST /dav HTTP/1.1\r\nHost: nas.localhost\r\n${program}Content-Length: 11\r\n\r\nhello `);
  first.send('world');
  expect(await first.until(/hello world/)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*POST \/dav [^]*hello world/);
  expect(await t.server.waitFor('mark_client')).toMatchObject({ mappingId, ip: '127.0.0.1', userAgent: 'backup/1.0' });

  first.clear();
  first.send(`GET /again HTTP/1.1\r\nHost: nas.localhost\r\n${program}\r\n`);
  expect(await first.until(/again/)).toContain('GET /again');
  await using second = openFrom('127.0.0.2', t.relay.httpPort);
  second.send(`GET / HTTP/1.1\r\nHost: nas.localhost\r\n${program}Connection: close\r\n\r\n`);
  expect(await second.untilEnd()).toMatch(/^HTTP\/1\.1 403 /);
  expect(asked(t)).toEqual(['127.0.0.1']);
});

test('all connections that the first client opens at once pass', async () => {
  await using t = await startTestRelay();
  await using lan = await startEcho();
  await openWindow(t, lan.port);

  const answers = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      await using client = openFrom('127.0.0.1', t.relay.httpPort);
      client.send(`GET /${n} HTTP/1.1\r\nHost: nas.localhost\r\n${program}Connection: close\r\n\r\n`);
      return await client.untilEnd();
    }),
  );

  for (const [n, answer] of answers.entries()) expect(answer).toContain(`GET /${n} `);
  expect(asked(t)).toEqual(['127.0.0.1']);
});

test.each([
  ['what a page fetches', 'GET', '/x', 'Sec-Fetch-Mode: cors\r\n'],
  ['an icon over plain HTTP', 'GET', '/favicon.ico', 'Accept: image/avif,image/*\r\n'],
  ['a CORS preflight of a page', 'OPTIONS', '/x', 'Origin: http://a.example\r\n'],
  ['what a browser fetches in advance', 'GET', '/x', 'Sec-Purpose: prefetch\r\nSec-Fetch-Mode: navigate\r\n'],
])('%s is not taken for the client', async (_what, method, path, fields) => {
  await using t = await startTestRelay();
  await using lan = await startEcho();
  await openWindow(t, lan.port);

  await using page = openFrom('127.0.0.1', t.relay.httpPort);
  page.send(`${method} ${path} HTTP/1.1\r\nHost: nas.localhost\r\n${fields}Connection: close\r\n\r\n`);

  expect(await page.untilEnd()).toMatch(/^HTTP\/1\.1 403 /);
  expect(asked(t)).toEqual([]);
});

test('a browser that opens the address itself may be the client', async () => {
  await using t = await startTestRelay();
  await using lan = await startEcho();
  await openWindow(t, lan.port);

  await using browser = openFrom('127.0.0.1', t.relay.httpPort);
  browser.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate\r\n\r\n');

  expect(await browser.until(/GET \//)).toMatch(/^HTTP\/1\.1 200 /);
});

test('an error of the server does not end the window: the relay asks again for the next client', async () => {
  await using t = await startTestRelay();
  await using lan = await startEcho();
  await openWindow(t, lan.port);
  const { mark } = t.server.handlers;
  let failures = 0;
  t.server.handlers.mark = (client) => (failures++ === 0 ? 'server.internal' : mark(client));
  const visit = async (address: string): Promise<string> => {
    await using client = openFrom(address, t.relay.httpPort);
    client.send(`GET / HTTP/1.1\r\nHost: nas.localhost\r\n${program}Connection: close\r\n\r\n`);
    return await client.untilEnd();
  };

  expect(await visit('127.0.0.1')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await visit('127.0.0.2')).toMatch(/^HTTP\/1\.1 200 /);
  expect(asked(t)).toEqual(['127.0.0.1', '127.0.0.2']);
});

test('a client that comes too late gets the page, and the relay does not ask the server again', async () => {
  await using t = await startTestRelay();
  await using lan = await startEcho();
  await openWindow(t, lan.port);
  t.server.handlers.mark = () => 'gate.window-over';

  await using late = openFrom('127.0.0.1', t.relay.httpPort);
  for (const body of ['a body', 'another']) {
    late.clear();
    const length = `Content-Length: ${body.length}\r\n`;
    late.send(`GET / HTTP/1.1\r\nHost: nas.localhost\r\nAccept: text/html\r\n${program}\r\n`);
    expect(await late.until(/<\/html>/)).toMatch(/^HTTP\/1\.1 403 /);
    await using sending = openFrom('127.0.0.1', t.relay.httpPort);
    sending.send(`POST / HTTP/1.1\r\nHost: nas.localhost\r\n${program}${length}\r\n${body}`);
    expect(await sending.untilEnd()).toMatch(/^HTTP\/1\.1 403 /);
  }
  expect(asked(t)).toEqual(['127.0.0.1']);
});

test('an expired window marks nobody, nor does a window of a public mapping', async () => {
  await using t = await startTestRelay();
  await using lan = await startEcho();
  const { after } = await openWindow(t, lan.port, { clientWindowUntilMs: Date.now() - 1 });
  await using late = openFrom('127.0.0.1', t.relay.httpPort);
  late.send(`GET / HTTP/1.1\r\nHost: nas.localhost\r\n${program}Connection: close\r\n\r\n`);
  expect(await late.untilEnd()).toMatch(/^HTTP\/1\.1 403 /);

  t.server.put(after({ enabled: false, clientWindowUntilMs: Date.now() + 120_000 }));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, {}), key); // earlier messages have arrived
  await using off = openFrom('127.0.0.1', t.relay.httpPort);
  off.send(`GET / HTTP/1.1\r\nHost: nas.localhost\r\n${program}Connection: close\r\n\r\n`);
  expect(Buffer.from(await off.untilEnd(), 'latin1').toString()).toContain('该地址已停用');
  expect(asked(t)).toEqual([]);
});

test('while the server is away a client is treated as if there were no window', async () => {
  await using t = await startTestRelay({ serverRequestTimeoutMs: 50 });
  await using lan = await startEcho();
  await openWindow(t, lan.port);
  t.server.isAway = true;
  t.server.dropRelay();
  await t.server.relayTurnedAway();

  await using client = openFrom('127.0.0.1', t.relay.httpPort);
  client.send(`GET / HTTP/1.1\r\nHost: nas.localhost\r\n${program}Connection: close\r\n\r\n`);

  expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 403 /);
});

test('a visitor who leaves while its request is held leaves no state behind', async () => {
  await using t = await startTestRelay();
  await using lan = await startEcho();
  await openWindow(t, lan.port);
  const { mark } = t.server.handlers;
  const left = Promise.withResolvers<void>();
  const client = openFrom('127.0.0.1', t.relay.httpPort);
  t.server.handlers.mark = (request) => {
    client.socket.destroy();
    left.resolve();
    return mark(request);
  };

  client.send(`GET / HTTP/1.1\r\nHost: nas.localhost\r\n${program}\r\n`);
  await left.promise;

  await using again = openFrom('127.0.0.1', t.relay.httpPort);
  again.send(`GET /again HTTP/1.1\r\nHost: nas.localhost\r\n${program}Connection: close\r\n\r\n`);
  expect(await again.untilEnd()).toContain('GET /again');
});

test('over HTTP/2 the first client passes with its body, too', async () => {
  await using t = await startTestRelay();
  await using lan = await startEcho();
  await openWindow(t, lan.port);
  await using client = new Http2Client(t.relay.tlsPort, 'nas.localhost');

  const answer = await client.fetch({ ':method': 'PUT', ':path': '/file' }, 'some bytes');

  expect([answer.status, answer.body.toString()]).toEqual([200, 'PUT /file some bytes']);
});

test('a TCP client is held, and the service receives it from its first byte', async () => {
  await using t = await startTestRelay();
  await using service = await startTcpService((socket) => socket.pipe(socket));
  const port = await freePort();
  await openWindow(t, service.port, { kind: 'tcp', port });

  await using first = new RawClient(await visitPort(port));
  first.send('hello');

  expect(await first.until(/hello/)).toBe('hello');
  const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  expect(await endOf(other)).toBe('ECONNRESET');
  expect(asked(t)).toEqual(['127.0.0.1']);
});

test('a TCP client that comes too late is reset', async () => {
  await using t = await startTestRelay();
  await using service = await startTcpService((socket) => socket.pipe(socket));
  const port = await freePort();
  await openWindow(t, service.port, { kind: 'tcp', port });
  t.server.handlers.mark = () => 'gate.window-over';

  expect(await endOf(await visitPort(port))).toBe('ECONNRESET');
  expect(service.sockets).toEqual([]);
});

test('the service receives a UDP client from its next datagram', async () => {
  await using t = await startTestRelay();
  await using service = await startUdpEcho();
  const port = await freePort();
  await openWindow(t, service.port, { kind: 'udp', port });
  await using visitor = await openUdpPeer();

  await expect
    .poll(() => {
      visitor.socket.send('hello', port, '127.0.0.1');
      return visitor.received.includes('hello');
    })
    .toBe(true);

  expect(asked(t)).toEqual(['127.0.0.1']);
});

test('with TLS passthrough the client passes with its first handshake', async () => {
  const pair = await makeCertificate({ subject: 'the device itself', names: ['nas.localhost'] });
  const service = createTlsServer(pair, (socket) => void socket.on('error', () => {}).pipe(socket));
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  onTestFinished(() => void service.close());
  await using t = await startTestRelay();
  const { port } = service.address() as AddressInfo; // it listens on TCP
  await openWindow(t, port, { kind: 'https', tlsPassthrough: true });

  using visitor = await tlsVisit(t.relay.tlsPort, 'nas.localhost', {});
  visitor.write('hello');

  const [echoed] = (await once(visitor, 'data')) as [Buffer]; // no encoding was set
  expect(echoed.toString()).toBe('hello');
  expect(asked(t)).toEqual(['127.0.0.1']);
});
