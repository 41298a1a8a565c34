import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import type { RelayLimits } from '../config/relay-limits.ts';
import { openRawClient, RawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: nas.localhost\r\n\r\n`;

/** Resolves also when it is closed by a reset. */
async function untilClosed(socket: Duplex): Promise<void> {
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('close', resolve));
}

/** A device whose service leaves `/silent` without an answer, and stops in the middle of that to `/begun`. */
async function startSilentService(limits: Partial<RelayLimits>) {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay(limits));
  const arrived = Promise.withResolvers<{ request: IncomingMessage; response: ServerResponse }>();
  const lan = stack.use(
    await startLanService((request, response) => {
      if (request.url === '/other') return void response.end('other');
      if (request.url === '/begun') response.write('begun');
      arrived.resolve({ request, response });
    }),
  );
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  return { t, lan, arrived: arrived.promise, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test.each(['/silent', '/begun'])(
  'when a visitor leaves by FIN and its answer stays silent, the LAN connection is closed: %s',
  async (path) => {
    await using service = await startSilentService({ halfClosedSilenceMs: 50 });
    await using visitor = openRawClient(service.t.relay.httpPort);
    visitor.send(get(path));
    const { request } = await service.arrived;
    const closed = untilClosed(request.socket);
    if (path === '/begun') await visitor.until(/begun/);
    visitor.socket.end();
    await closed;
    await visitor.untilEnd();
  },
);

test('over TLS as well', async () => {
  await using service = await startSilentService({ halfClosedSilenceMs: 50 });
  await using visitor = new RawClient(
    connectTls({ port: service.t.relay.tlsPort, host: '127.0.0.1', rejectUnauthorized: false }),
  );
  visitor.send(get('/silent'));
  const { request } = await service.arrived;
  const closed = untilClosed(request.socket);
  visitor.socket.end();
  await closed;
});

test('a program that ends its side after the request still gets an answer that keeps coming', async () => {
  await using service = await startSilentService({});
  await using visitor = openRawClient(service.t.relay.httpPort);
  visitor.send(get('/begun'));
  await visitor.until(/begun/);
  visitor.socket.end();
  await using other = openRawClient(service.t.relay.httpPort);
  other.send(get('/other'));
  await other.until(/other$/);
  (await service.arrived).response.end('over');
  expect(await visitor.untilEnd()).toMatch(/begun\r\n4\r\nover\r\n0\r\n\r\n$/);
});

test('a stop does not wait for visitors that have left by FIN', async () => {
  await using service = await startSilentService({ halfClosedSilenceMs: 50, drainMs: 600_000 });
  const { t } = service;
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send(get('/silent'));
  await service.arrived;
  visitor.socket.end();
  await t.relay[Symbol.asyncDispose]();
});

test('a WebSocket whose visitor has left is closed, though its service keeps its own side open', async () => {
  await using service = await startSilentService({ halfClosedSilenceMs: 50, rawHalfClosedMs: 600_000 });
  const upgraded = Promise.withResolvers<Duplex>();
  service.lan.server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello');
    socket.resume();
    upgraded.resolve(socket);
  });
  await using visitor = openRawClient(service.t.relay.httpPort);
  visitor.send('GET /ws HTTP/1.1\r\nHost: nas.localhost\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n');
  await visitor.until(/hello/);
  const socket = await upgraded.promise;
  visitor.socket.end();
  await visitor.untilEnd();
  // A socket that has read its end notices a reset only when it writes.
  const writing = setInterval(() => socket.write('is anyone there'), 10);
  await untilClosed(socket);
  clearInterval(writing);
});

test('after an upgrade an active half-closed connection stays, and an idle one ends like that of a TCP mapping', async () => {
  await using service = await startSilentService({ halfClosedSilenceMs: 1, rawHalfClosedMs: 300 });
  using held = new DisposableStack();
  service.lan.server.on('upgrade', (_request, socket) => {
    held.defer(() => socket.destroy());
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello');
    socket.on('end', () => socket.write('still here'));
    socket.resume();
  });
  await using visitor = openRawClient(service.t.relay.httpPort);
  visitor.send('GET /ws HTTP/1.1\r\nHost: nas.localhost\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  await visitor.until(/hello/);
  visitor.socket.end();
  expect(await visitor.until(/still here/)).toMatch(/still here$/);
  await visitor.untilEnd();
});
