import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import { createSecureServer as createSecureHttp2Server, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { freePort } from '@tongtu/base/testing/free-port';
import type { Route } from '@tongtu/contract';
import type { Wire } from '@tongtu/frp';
import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { RawClient } from '../testing/clients/raw-client.ts';
import { openFrpcHouse } from '../testing/frpc-house.ts';
import { startTcpService, visitPort } from '../testing/port-services.ts';
import { startLanService } from '../testing/start-test-relay.ts';
import { testCertificate } from '../testing/test-certificate.ts';

const page = 'nas.example.test';
const local = (targetPort: number) => ({ targetHost: '127.0.0.1', targetPort });

test.each<Wire>(['v1', 'v2'])(
  'a visitor opens a page through frpc (wire %s), and the server learns its version',
  async (wire) => {
    await using lan = await startLanService((request, response) => response.end(`hello ${request.headers.host}`));
    await using house = await openFrpcHouse({ [page]: local(lan.port) });
    await house.connect({ wire });

    expect(await house.get(page)).toEqual({ status: 200, text: `hello ${page}` });

    const { events } = await house.t.server.waitFor('presence');
    expect(events[0]).toMatchObject({ online: true, agentVersion: 'frpc 0.61.0', platform: 'linux mips' });
    expect(await house.probe(page)).toMatchObject({ ok: true, step: 'http', seen: 'status_200' });
  },
);

test('frpc logs in at the TLS port by its host name, and with its mark before TLS', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openFrpcHouse({ [page]: local(lan.port) });
  await using byName = await house.connect({ port: house.t.relay.tlsPort, serverName: 'frp.localhost' });
  expect((await house.get(page)).status).toBe(200);
  await byName[Symbol.asyncDispose]();
  await house.connect({ mark: Buffer.of(0x17), runId: byName.runId });
  expect((await house.get(page)).status).toBe(200);
});

test('the request to the plugin and the first bytes of the visitor leave in one frame', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openFrpcHouse({ [page]: local(lan.port) });
  await using frpc = await house.connect();
  while (frpc.mux.streamCount < 5) await frpc.changed(); // its control stream and four idle work connections

  await house.get(page);

  expect(frpc.workChunks[0]).toMatch(
    /^s[^{]*\{"proxy_name":"\w+\.lan"\}CONNECT 127\.0\.0\.1:\d+ HTTP\/1\.1\r\nHost: [^\r]+\r\n\r\nGET \/ HTTP\/1\.1\r\n/,
  );
});

test.each(['http', 'https'] as const)('gRPC reaches a target of %s over HTTP/2', async (kind) => {
  const lan =
    kind === 'http' ? createHttp2Server() : createSecureHttp2Server({ ...testCertificate, allowHTTP1: false });
  lan.on('stream', (stream) => {
    stream.on('error', () => {});
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.pipe(stream);
  });
  lan.listen(0, '127.0.0.1');
  await once(lan, 'listening');
  const { port } = lan.address() as AddressInfo; // it listens on TCP
  await using house = await openFrpcHouse({ [page]: { ...local(port), kind } });
  await house.connect();
  await using visitor = new Http2Client(house.t.relay.tlsPort, page);
  const call = { ':method': 'POST', ':path': '/a', 'content-type': 'application/grpc', te: 'trailers' };
  const { body, trailers } = await visitor.fetch(call, 'message');
  expect([body.toString(), trailers['grpc-status']]).toEqual(['message', '0']);
  if (kind === 'http') expect(await house.probe(page)).toMatchObject({ ok: true, step: 'http', seen: 'http2' });
  lan.close();
});

test('the relay speaks TLS with a target of https, and checks its certificate where its owner wants that', async () => {
  const lan = createTlsServer(testCertificate, (_request, response) => response.end('secret'));
  lan.listen(0, '127.0.0.1');
  await once(lan, 'listening');
  const { port } = lan.address() as AddressInfo; // it listens on TCP
  await using plain = await startTcpService((socket) => socket.end('SSH-2.0-x\r\n'));
  await using house = await openFrpcHouse({
    'tls.example.test': { ...local(port), kind: 'https' },
    'verified.example.test': { ...local(port), kind: 'https', verifyTls: true },
    'plain.example.test': { ...local(plain.port), kind: 'https' },
  });
  await house.connect();

  expect(await house.get('tls.example.test')).toEqual({ status: 200, text: 'secret' });
  expect((await house.get('verified.example.test')).status).toBe(502);
  expect(await house.probe('tls.example.test')).toMatchObject({ ok: true, step: 'http', seen: 'status_200' });
  expect(await house.probe('verified.example.test')).toMatchObject({ step: 'tls', seen: 'certificate_invalid' });
  expect(await house.probe('plain.example.test')).toMatchObject({ step: 'tls', seen: 'tls_failed' });
  lan.closeAllConnections();
  lan.close();
});

test.each([
  ['of the Host, for a target that is an address', {}, page],
  ['of the mapping', { tlsName: 'home.lan' }, 'home.lan'],
  ['of no Host that is an address', { hostHeader: 'rewrite' }, ''],
] satisfies [string, Partial<Route>, string][])(
  'a target behind frpc gets the TLS name %s',
  async (_what, choices, name) => {
    const seen: unknown[] = [];
    const lan = createTlsServer(testCertificate, (_request, response) => response.end('secret'));
    lan.on('secureConnection', ({ servername }: TLSSocket) => seen.push(servername || ''));
    lan.listen(0, '127.0.0.1');
    await once(lan, 'listening');
    const { port } = lan.address() as AddressInfo; // it listens on TCP
    await using house = await openFrpcHouse({ [page]: { ...local(port), kind: 'https', ...choices } });
    await house.connect();
    expect(await house.get(page)).toEqual({ status: 200, text: 'secret' });
    expect(await house.probe(page)).toMatchObject({ ok: true });
    expect(seen).toEqual([name, name]);
    lan.closeAllConnections();
    lan.close();
  },
);

test('the reason why a target cannot be reached is asked for in absolute form', async () => {
  const reasons: Record<string, string> = {
    'refused.lan': 'dial tcp 10.0.0.9:80: connect: connection refused',
    'missing.lan': 'dial tcp: lookup missing.lan on 10.0.0.1:53: no such host',
    'away.lan': 'dial tcp 10.0.0.9:80: connect: no route to host',
  };
  const names = Object.keys(reasons);
  await using house = await openFrpcHouse(
    Object.fromEntries(names.map((name) => [name, { targetHost: name, targetPort: 80 }])),
  );
  await house.connect({
    onRequest(line) {
      const [, name = ''] = /^GET http:\/\/([^:]+):/.exec(line) ?? [];
      const reason = reasons[name];
      return reason === undefined
        ? { answer: 'HTTP/1.1 400 Bad Request\r\n\r\n' }
        : { answer: `HTTP/1.1 500 Internal Server Error\r\n\r\n${reason}` };
    },
  });
  const seen: [string, string][] = [];
  for (const name of names) {
    const result = await house.probe(name);
    seen.push([result.step, result.seen]);
  }
  expect(seen).toEqual([
    ['tcp', 'refused'],
    ['dns_lan', 'not_found'],
    ['tcp', 'unreachable'],
  ]);
  expect((await house.get('refused.lan')).status).toBe(502);
});

test('only private addresses are dialled, and never the administration of frpc', async () => {
  await using house = await openFrpcHouse({
    'public.test': { targetHost: '8.8.8.8', targetPort: 80 },
    'metadata.test': { targetHost: '169.254.169.254', targetPort: 80 },
    'any.test': { targetHost: '0.0.0.0', targetPort: 80 },
    'admin.test': { targetHost: '127.0.0.1', targetPort: 7400 },
    'admin-by-name.test': { targetHost: 'localhost', targetPort: 7400 },
  });
  await using frpc = await house.connect();
  for (const host of ['public.test', 'metadata.test', 'any.test', 'admin.test', 'admin-by-name.test'])
    expect(await house.probe(host), host).toMatchObject({ ok: false, step: 'dns_lan', seen: 'not_allowed' });
  expect(frpc.workChunks).toEqual([]);
});

test('a target that does not answer is given up, and after eight of them is not dialled again', async () => {
  await using house = await openFrpcHouse(
    { 'silent.test': { targetHost: '10.0.0.9', targetPort: 80 } },
    { limits: { frpcDialTimeoutMs: 100 } },
  );
  await using frpc = await house.connect({ onRequest: () => 'silent' });
  for (let i = 0; i < 12; i++) expect((await house.get('silent.test')).status).toBe(504);
  expect(frpc.workChunks.filter((chunk) => chunk.includes('CONNECT'))).toHaveLength(8);
});

test('work connections that never come cost a visitor the time limit, and no more', async () => {
  await using house = await openFrpcHouse({ [page]: local(1) }, { limits: { frpcDialTimeoutMs: 100 } });
  await house.connect({ opensWork: false });
  expect((await house.get(page)).status).toBe(504);
});

test('the end of a visitor is kept from the plugin until the target ends', async () => {
  await using service = await startTcpService((socket) =>
    socket.once('data', (chunk) => socket.end(`got ${String(chunk)}`)),
  );
  const port = await freePort();
  await using house = await openFrpcHouse({ '': { ...local(service.port), kind: 'tcp', port } });
  await house.connect();
  const socket = await visitPort(port);
  await using visitor = new RawClient(socket);
  socket.end('question');
  expect(await visitor.untilEnd()).toBe('got question');
});

test('frpc with another plugin, or without its proxy, is named as the cause', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openFrpcHouse({ [page]: local(lan.port) });
  await using other = await house.connect({ onRequest: () => ({ answer: 'SSH-2.0-OpenSSH\r\n\r\n' }) });
  expect(await house.probe(page)).toMatchObject({ ok: false, step: 'agent', seen: 'no_proxy' });
  await other[Symbol.asyncDispose]();
  await using none = house.dial({ proxies: [], runId: other.runId });
  await none.waitFor('ReqWorkConn');
  await house.t.server.waitFor('presence', ({ events }) => events.some((event) => event.online && event.epoch > 0));
  expect((await house.get(page)).status).toBeGreaterThanOrEqual(502);
});

test('a machine is woken through the udp proxy, which a device may lack', async () => {
  await using house = await openFrpcHouse({});
  await using frpc = await house.connect();
  const wake = { type: 'wake', deviceId: house.device.deviceId, mac: 'd8:bb:c1:0a:2f:e4' } as const;
  house.t.server.send({ ...wake, correlation: 1 });
  const without = await house.t.server.waitFor('probe_result', ({ correlation }) => correlation === 1);
  expect(without.result).toMatchObject({ ok: false, step: 'agent', seen: 'frpc_no_wake' });

  frpc.send('NewProxy', { proxy_name: `${house.device.uid}.wake`, proxy_type: 'udp' });
  await frpc.waitFor('NewProxyResp', ({ proxy_name: name }) => name.endsWith('.wake'));
  house.t.server.send({ ...wake, correlation: 2 });
  const sent = await house.t.server.waitFor('probe_result', ({ correlation }) => correlation === 2);
  expect(sent.result).toMatchObject({ ok: true, step: 'udp', seen: 'sent' });
  const packet = Buffer.from(frpc.datagrams[0]?.c ?? '', 'base64').toString('hex');
  expect(packet).toBe(`${'ff'.repeat(6)}${'d8bbc10a2fe4'.repeat(16)}`);
});
