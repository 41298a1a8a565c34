import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { DeviceRoutes, Route } from '@tongtu/contract';
import { openStatus } from '@tongtu/tunnel';
import { expect, onTestFinished, test } from 'vitest';
import { encodeProxyV2 } from '../net/proxy-header.ts';
import { realClientHello } from '../testing/clients/client-hello-bytes.ts';
import { makeCertificate } from '../testing/make-certificate.ts';
import { openRawClient, RawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startTestRelay, testDevice, type TestRelay } from '../testing/start-test-relay.ts';
import type { TestAgentOptions } from '../testing/test-agent.ts';
import { tlsVisit } from '../testing/clients/tls-visit.ts';

const HOST = 'home.example';

/** A TLS service at the device, with a certificate of its own. */
async function startDeviceTls(onVisitor: (socket: TLSSocket) => void): Promise<number> {
  const pair = await makeCertificate({ subject: 'the device itself', names: [HOST] });
  const server = createTlsServer({ ...pair, allowHalfOpen: true, ALPNProtocols: ['h2', 'acme-tls/1'] }, (socket) => {
    socket.on('error', () => {});
    onVisitor(socket);
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // it listens on TCP
}

/** A service that sees each connection before any TLS. */
async function startService(onVisitor: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => onVisitor(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // it listens on TCP
}

const echo = (socket: TLSSocket) => void socket.pipe(socket);

async function openPassthrough(
  t: TestRelay,
  targetPort: number,
  route: Partial<Route> = {},
  options: Partial<TestAgentOptions> & { device?: Partial<DeviceRoutes> } = {},
) {
  const key = createAgentKey();
  const device = { ...testDevice(key, { [HOST]: targetPort }, { kind: 'https', tlsPassthrough: true, ...route }) };
  Object.assign(device, options.device);
  const agent = await t.connectDevice(device, key, options);
  return { key, device, agent };
}

const visit = (t: TestRelay, options = {}) => tlsVisit(t.relay.tlsPort, HOST, options);

async function received(socket: TLSSocket, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks);
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)('over %s the visitor receives the device’s certificate', async (version) => {
  await using t = await startTestRelay();
  await openPassthrough(t, await startDeviceTls(echo));
  using visitor = await visit(t, { minVersion: version, maxVersion: version });
  expect(visitor.getPeerCertificate().subject.CN).toBe('the device itself');
  visitor.write('hello');
  expect((await received(visitor, 5)).toString()).toBe('hello');
});

test('visitor and device resume sessions and choose the protocol themselves', async () => {
  await using t = await startTestRelay();
  await openPassthrough(t, await startDeviceTls(echo));
  using first = await visit(t, { ALPNProtocols: ['acme-tls/1'] });
  expect(first.alpnProtocol).toBe('acme-tls/1');
  const [session] = (await once(first, 'session')) as [Buffer];
  using second = await visit(t, { session, ALPNProtocols: ['h2'] });
  expect(second.isSessionReused()).toBe(true);
  expect(second.alpnProtocol).toBe('h2');
});

test('a ClientHello that arrives byte by byte reaches the device complete', async () => {
  await using t = await startTestRelay();
  await openPassthrough(t, await startDeviceTls(echo));
  await using visitor = openRawClient(t.relay.tlsPort);
  visitor.socket.setNoDelay(true);
  for (const byte of await realClientHello({ servername: HOST })) {
    visitor.socket.write(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  const answer = Buffer.from(await visitor.until(/^[^]{6}/), 'latin1');
  // A ServerHello, in a handshake record.
  expect([answer[0], answer[5]]).toEqual([22, 2]);
});

test('8 MB go up and come back unchanged', async () => {
  await using t = await startTestRelay();
  await openPassthrough(t, await startDeviceTls(echo));
  using visitor = await visit(t);
  const sent = createHash('sha256');
  const got = createHash('sha256');
  const chunk = () => randomBytes(256 * 1024);
  const upload = (async () => {
    for (let at = 0; at < 32; at++) {
      const bytes = chunk();
      sent.update(bytes);
      if (!visitor.write(bytes)) await once(visitor, 'drain');
    }
    visitor.end();
  })();
  for await (const bytes of visitor as AsyncIterable<Buffer>) got.update(bytes);
  await upload;
  expect(got.digest('hex')).toBe(sent.digest('hex'));
});

test('a visitor that has ended its side still gets the rest of its answer', async () => {
  await using t = await startTestRelay();
  const port = await startDeviceTls((socket) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('end', () => socket.end(`you said ${text}`));
  });
  await openPassthrough(t, port);
  using visitor = await visit(t, { allowHalfOpen: true });
  visitor.end('goodbye');
  expect((await received(visitor, Infinity)).toString()).toBe('you said goodbye');
});

test('a visitor that does not read stalls only itself, and gets everything once it reads', async () => {
  await using t = await startTestRelay();
  const bytes = randomBytes(8 * 1024 * 1024);
  await openPassthrough(t, await startDeviceTls((socket) => void socket.end(bytes)));
  using slow = await visit(t);
  slow.pause();
  using fast = await visit(t);
  expect((await received(fast, bytes.length)).equals(bytes)).toBe(true);
  expect((await received(slow, bytes.length)).equals(bytes)).toBe(true);
});

test('a reset of either side resets the other', async () => {
  await using t = await startTestRelay();
  const sockets: Socket[] = [];
  const port = await startService((socket) => {
    sockets.push(socket);
    socket.on('data', () => socket.write('x'));
  });
  await openPassthrough(t, port);
  const open = async () => {
    const socket = connect(t.relay.tlsPort, '127.0.0.1').on('error', () => {});
    socket.write(await realClientHello({ servername: HOST }));
    await once(socket, 'data');
    return socket;
  };
  const first = await open();
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => first.once('error', resolve));
  sockets[0]?.resetAndDestroy();
  expect((await failed).code).toBe('ECONNRESET');

  const second = await open();
  const reset = new Promise<NodeJS.ErrnoException>((resolve) => sockets[1]?.once('error', resolve));
  second.resetAndDestroy();
  expect((await reset).code).toBe('ECONNRESET');
});

test('anonymous clients are refused with a TLS alert; allow-listed and verified addresses pass', async () => {
  await using t = await startTestRelay();
  const port = await startDeviceTls(echo);
  const { device, agent } = await openPassthrough(t, port, { policy: 'owner' });
  await expect(visit(t)).rejects.toThrow(/access denied/i);
  expect(agent.opened).toEqual([]);

  t.server.put({ ...device, allowList: ['127.0.0.0/8'] });
  let visitor: (TLSSocket & Disposable) | undefined;
  while (visitor === undefined) visitor = await visit(t).catch(() => undefined);
  using inside = visitor;
  expect(inside.getPeerCertificate().subject.CN).toBe('the device itself');

  const cut = new Promise((resolve) => inside.once('close', resolve));
  t.server.put(device);
  await cut;
  await expect(visit(t)).rejects.toThrow(/access denied/i);

  const verified = { verificationId: 1, ip: '127.0.0.1', expiresAtMs: Date.now() + 60_000 };
  t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, verifiedIps: [verified] })) });
  let isIn = false;
  while (!isIn) {
    isIn = await visit(t).then(
      (socket) => (socket.destroy(), true),
      () => false,
    );
  }
});

test('a device that is away, switched off or unreachable causes an alert', async () => {
  await using t = await startTestRelay();
  const { device, agent } = await openPassthrough(t, 9);
  await expect(visit(t)).rejects.toThrow(/internal error/i);

  agent.kill();
  await t.server.waitFor('presence', ({ events }) => events.some((event) => !event.online));
  await expect(visit(t)).rejects.toThrow(/internal error/i);

  t.server.put({ ...device, enabled: false });
  let reason = '';
  while (!/access denied/i.test(reason)) reason = await visit(t).then(String, String);
});

test.each(Object.keys(openStatus).filter((status) => status !== 'connected') as ['refused'])(
  'a service that is not reached (%s) causes an alert before any other byte',
  async (status) => {
    await using t = await startTestRelay();
    await openPassthrough(t, 9, {}, { onOpen: () => status });
    await using visitor = openRawClient(t.relay.tlsPort);
    visitor.socket.write(await realClientHello({ servername: HOST }));
    // A fatal internal_error, and nothing after it.
    expect(await visitor.untilEnd()).toBe('\x15\x03\x03\x00\x02\x02\x50');
  },
);

test('the PROXY header comes first and names the ends of the visitor’s connection', async () => {
  await using t = await startTestRelay();
  let onBytes: (bytes: Buffer) => void = () => {};
  const bytes = new Promise<Buffer>((resolve) => (onBytes = resolve));
  const port = await startService((socket) => void socket.once('data', onBytes));
  await openPassthrough(t, port, { proxyProtocol: true });
  const hello = await realClientHello({ servername: HOST });
  const socket = connect(t.relay.tlsPort, '127.0.0.1');
  await once(socket, 'connect');
  await using visitor = new RawClient(socket);
  visitor.socket.write(hello);
  const header = encodeProxyV2({
    source: { address: '127.0.0.1', port: socket.localPort ?? 0 },
    destination: { address: '127.0.0.1', port: t.relay.tlsPort },
  });
  expect(await bytes).toEqual(Buffer.concat([header, hello]));
});

test('the relay never serves a passthrough host: http is redirected to https, and https without its SNI gets 421', async () => {
  await using t = await startTestRelay();
  const { agent } = await openPassthrough(t, await startDeviceTls(echo));
  await using plain = openRawClient(t.relay.httpPort);
  plain.send(`GET /a HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  expect(await plain.untilEnd()).toContain(`\r\nLocation: https://${HOST}:${t.relay.tlsPort}/a\r\n`);

  for (const name of [undefined, 'localhost', 'other.example']) {
    await using visitor = new RawClient(await tlsVisit(t.relay.tlsPort, name));
    visitor.send(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
    expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 421 /);
  }
  expect(agent.opened).toEqual([]);
});

test('no passthrough mapping takes over the console’s host', async () => {
  await using t = await startTestRelay();
  const key = createAgentKey();
  const device = testDevice(key, { localhost: 9 }, { kind: 'https', tlsPassthrough: true });
  await t.connectDevice(device, key);
  using visitor = await tlsVisit(t.relay.tlsPort, 'localhost');
  expect(visitor.getPeerCertificate().subject.CN).toBe('localhost');
});

test('one address has a limit of passthrough connections, and each that ends makes room', async () => {
  await using t = await startTestRelay({ maxConnectionsPerVisitorIp: 2 });
  await openPassthrough(t, await startDeviceTls(echo));
  const open: Array<Socket & Disposable> = [await visit(t), await visit(t)];
  await expect(visit(t)).rejects.toThrow();
  open[0]?.destroy();
  let isIn = false;
  while (!isIn) isIn = await visit(t).then(Boolean, () => false);
  open[1]?.destroy();
});

test('a relay that stops lets an open connection finish', async () => {
  await using t = await startTestRelay({ drainMs: 10_000 });
  await openPassthrough(t, await startDeviceTls(echo));
  using visitor = await visit(t);
  const stopped = t.relay[Symbol.asyncDispose]();
  visitor.write('still here');
  expect((await received(visitor, 10)).toString()).toBe('still here');
  visitor.destroy();
  await stopped;
});
