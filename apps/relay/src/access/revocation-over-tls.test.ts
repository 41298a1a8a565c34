import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { answerOf, Http2Client } from '../testing/clients/http2-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import { testCertificate } from '../testing/test-certificate.ts';
import { signVisitorProof, visitorCookieName } from './visitor-cookie.ts';

const HOUR_MS = 3_600_000;

test('over HTTP/2 the streams of a visitor are cut one by one, and the next request is refused', async () => {
  await using lan = await startLanService((request, response) => {
    if (request.url === '/events') response.writeHead(200).write('data: 1\n\n');
    else response.end('a page');
  });
  await using t = await startTestRelay();
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': lan.port }, { policy: 'owner' });
  await t.connectDevice(device, key);
  const mappingId = device.routes[0]?.mappingId ?? 0;
  const cookieOf = (verificationId: number) => {
    const proof = { mappingId, verificationId, expiresAtMs: Date.now() + HOUR_MS };
    const place = { host: 'nas.localhost', scheme: 'https' } as const;
    return { cookie: `${visitorCookieName('https')}=${signVisitorProof(t.gateKey, place, proof)}` };
  };
  // Two verifications on one connection, unlike any browser: each request is judged by its own.
  await using visitor = new Http2Client(t.relay.tlsPort, 'nas.localhost');
  const [first, second] = [1, 2].map((id) =>
    visitor.open({ ':path': '/events', ...cookieOf(id) }, { endStream: true }),
  );
  const cut = answerOf(first!);
  await Promise.all([once(first!, 'data'), once(second!, 'data')]);

  t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, revokedVerifications: [1] })) });

  expect(await cut).toMatchObject({ status: 200, code: 2 });
  expect(await visitor.fetch({ ':path': '/page', ...cookieOf(1) })).toMatchObject({ status: 403, code: 0 });
  expect(await visitor.fetch({ ':path': '/page', ...cookieOf(2) })).toMatchObject({ status: 200, code: 0 });
  expect(second?.closed).toBe(false);
});

test('a TLS passthrough connection is cut when its address is no longer verified', async () => {
  const service = createServer({ ...testCertificate }, (socket) => {
    socket.on('error', () => {}); // cut by the relay
    socket.pipe(socket);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  await using t = await startTestRelay();
  const key = createAgentKey();
  const expiresAtMs = Date.now() + HOUR_MS;
  const { port } = service.address() as AddressInfo; // it listens on TCP
  const device = testDevice(
    key,
    { 'own.example': port },
    {
      kind: 'https',
      tlsPassthrough: true,
      policy: 'owner',
      verifiedIps: ['127.0.0.1', '127.0.0.2'].map((ip, at) => ({ verificationId: at + 1, ip, expiresAtMs })),
    },
  );
  await t.connectDevice(device, key);
  async function visit(localAddress: string): Promise<TLSSocket> {
    const to = { port: t.relay.tlsPort, host: '127.0.0.1', servername: 'own.example', localAddress };
    const socket = connect({ ...to, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    socket.on('error', () => {}); // cut by the relay
    return socket;
  }
  const [first, second] = [await visit('127.0.0.1'), await visit('127.0.0.2')];
  const cut = new Promise((resolve) => first.once('close', resolve));

  t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, revokedVerifications: [1] })) });

  first.resume();
  await cut;
  second.write('still here?');
  expect(String((await once(second, 'data'))[0])).toBe('still here?');
  second.destroy();
  await new Promise((resolve) => service.close(resolve));
});
