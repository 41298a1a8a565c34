import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type FrpcAccount, FrpcConfiguration } from '@tongtu/contract';
import { freePort } from '@tongtu/base/testing/free-port';
import { makeCertificate } from '@tongtu/relay/testing/certificate';
import { TestFrpc } from '@tongtu/relay/testing/frpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { saveLogOnFailure } from './support/artefacts.ts';
import { ApiClient } from './support/clients/api-client.ts';
import { type HttpReply, request } from './support/clients/http-request.ts';
import { startProduct, type Product } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

/** A device that runs a stock frpc, from its addition in the console to the page of its network. */
const OWN_DOMAIN = 'home.example';
const BODY_BYTES = 32 * 1024 * 1024;

let product: Product;
let client: ApiClient;
let frpPort: number;
let configuration: FrpcConfiguration;
let lan: http.Server;
let frpc: TestFrpc;
const seen = { uploadHash: '', download: randomBytes(BODY_BYTES) };

beforeAll(async () => {
  frpPort = await freePort();
  product = await startProduct({ env: { FRP_PORT: String(frpPort), LOG_LEVEL: 'info' }, args: ['--no-local-agent'] });
  client = new ApiClient(product);
  await client.logIn();
  const added = await client.call('POST', '/api/user/frpc_devices/', { name: '路由器' });
  configuration = FrpcConfiguration.parse(added.json);
  lan = http.createServer(serve).listen(0, '127.0.0.1');
  await once(lan, 'listening');
  const sockets = new WebSocketServer({ server: lan });
  sockets.on('connection', (socket) => socket.on('message', (message) => socket.send(message)));
  const { port } = lan.address() as AddressInfo; // it listens on TCP
  const nas = { kind: 'http', prefix: 'nas', target: `http://127.0.0.1:${port}`, policy: 'public' } as const;
  await client.createMapping({ router: configuration.device_id, ...nas });
  frpc = connect();
  await client.waitForDevice('frpc is online', ({ online }) => online);
});

afterAll(async () => {
  lan?.closeAllConnections();
  lan?.close();
  await frpc?.[Symbol.asyncDispose]();
  await product?.[Symbol.asyncDispose]();
});

function serve(incoming: http.IncomingMessage, response: http.ServerResponse): void {
  if (incoming.url === '/big') return void response.end(seen.download);
  if (incoming.method !== 'PUT') return void response.end('the page of the NAS');
  const hash = createHash('sha256');
  incoming.on('data', (chunk: Buffer) => hash.update(chunk));
  incoming.on('end', () => {
    seen.uploadHash = hash.digest('hex');
    response.end();
  });
}

/** What frpc does with the text of the console. */
function connect(changed: { token?: string; runId?: string } = {}): TestFrpc {
  const value = (key: string) => new RegExp(`^${key} = "?([^"\\n]+)`, 'm').exec(configuration.toml)?.[1] ?? '';
  return new TestFrpc({
    port: Number(value('serverPort')),
    user: value('user'),
    token: value(String.raw`auth\.token`),
    ...changed,
  });
}

async function visit(path = '/', options: { method?: string; body?: Buffer } = {}): Promise<HttpReply> {
  const { http: port } = product.ports;
  return await request({ port, path, host: `nas.localhost:${port}`, ...options });
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('a visitor opens a page, sends messages over WebSocket, and large bodies arrive as they were sent', async () => {
  saveLogOnFailure('frpc', product.child);
  expect(configuration).toMatchObject({ server_port: frpPort, is_certificate_checked: false });
  expect((await visit()).body.toString()).toBe('the page of the NAS');

  const { http: port } = product.ports;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host: `nas.localhost:${port}` } });
  await once(socket, 'open');
  for (const message of ['hello', 'x'.repeat(300_000)]) {
    socket.send(message);
    expect(String((await once(socket, 'message'))[0])).toBe(message);
  }
  socket.close();
  await once(socket, 'close');

  const body = randomBytes(BODY_BYTES);
  expect(hashOf((await visit('/big')).body)).toBe(hashOf(seen.download));
  expect((await visit('/', { method: 'PUT', body })).status).toBe(200);
  expect(seen.uploadHash).toBe(hashOf(body));
});

test('a wrong token is refused, with the reason in the log of frpc and of the product', async () => {
  await using wrong = connect({ token: 'wrong' });
  expect((await wrong.waitFor('LoginResp')).error).toMatch(/密钥（token）不正确.*the token is wrong/);
  await waitFor('the refusal is logged', 10_000, () => product.child.output.includes('"reason":"wrongToken"'));
});

test('a UDP mapping is refused', async () => {
  const mapping = { router: configuration.device_id, kind: 'udp', target: 'udp://192.168.1.1:53' };
  const reply = await client.call('POST', '/api/user/records/', mapping);
  expect(reply).toMatchObject({ status: 422, json: { code: 'mapping.frpc-no-udp' } });
  expect(reply.text).toContain('这台设备用 frpc 连接，不能添加 UDP 映射');
});

test('a killed frpc is seen as offline, and serves visitors again when it is back', async () => {
  const { runId } = frpc;
  await frpc[Symbol.asyncDispose]();
  await client.waitForDevice('frpc is offline', ({ online }) => !online);
  expect((await visit()).status).toBe(503);
  frpc = connect({ runId });
  await client.waitForDevice('frpc is online again', ({ online }) => online);
  expect((await visit()).body.toString()).toBe('the page of the NAS');
});

test('an http and an https proxy of one domain share its mapping, and each has its visitors', async () => {
  const account = (await client.call('POST', '/api/user/frpc_account/')).json as FrpcAccount;
  const token = /auth\.token = "([^"]+)"/.exec(account.toml)?.[1] ?? '';
  const { cert, key } = await makeCertificate({ subject: 'the device itself', names: [OWN_DOMAIN] });
  const secure = https.createServer({ cert, key }).listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const { user } = account;
  const domain = { custom_domains: [OWN_DOMAIN] };
  await using own = new TestFrpc({
    ...{ port: frpPort, user, token },
    proxies: [
      { proxy_name: `${user}.web`, proxy_type: 'http', ...domain },
      { proxy_name: `${user}.tls`, proxy_type: 'https', ...domain },
    ],
    localPorts: {
      [`${user}.web`]: (lan.address() as AddressInfo).port, // it listens on TCP
      [`${user}.tls`]: (secure.address() as AddressInfo).port, // it listens on TCP
    },
  });
  await own.waitFor('NewProxyResp', ({ proxy_name: name, error }) => name.endsWith('.tls') && error === '');
  const mappings = (await client.devices()).flatMap((device) => device.mappings);
  const shared = mappings.filter(({ frpc_proxy: proxy }) => proxy !== null);
  expect(shared).toMatchObject([{ frpc_proxy: 'tls', custom_domain: OWN_DOMAIN, tls_passthrough: true }]);
  await client.call('PATCH', `/api/user/records/${shared[0]?.id}/`, { policy: 'public' });
  const { http: port, tls } = product.ports;
  expect((await request({ port, path: '/', host: OWN_DOMAIN })).body.toString()).toBe('the page of the NAS');
  const visitor = connectTls({ port: tls, host: '127.0.0.1', servername: OWN_DOMAIN, rejectUnauthorized: false });
  await once(visitor, 'secureConnect');
  expect(visitor.getPeerCertificate().subject.CN).toBe('the device itself');
  visitor.destroy();
  secure.close();
});
