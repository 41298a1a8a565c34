import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { CheckReply, ClientWindow, type Mapping, type MappingCreate, ShareLink } from '@tongtu/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ApiClient } from './support/clients/api-client.ts';
import { saveLogOnFailure } from './support/artefacts.ts';
import { freePort } from '@tongtu/base/testing/free-port';
import { type HttpReply, request as ask } from './support/clients/http-request.ts';
import { type LanSite, startNginx } from './support/services/nginx.ts';
import { startTcpService } from './support/services/port-services.ts';
import { type Product, startProduct } from './support/product/product.ts';
import { waitFor } from './support/wait-for.ts';

/** Two relay processes: both must have every change. */
const RELAYS = 2;

let product: Product;
let nginx: LanSite;
let owner: ApiClient;
let deviceId: number;
let tcpPort: number;

beforeAll(async () => {
  tcpPort = await freePort();
  const env = { RELAY_PROCESSES: String(RELAYS), MAPPING_PORTS: `${tcpPort}-${tcpPort}` };
  [product, nginx] = await Promise.all([startProduct({ env }), startNginx()]);
  owner = new ApiClient(product);
  await owner.logIn();
  const isEverywhere = await owner.waitForDevice('every relay has it', ({ relays }) => relays.connected === RELAYS);
  deviceId = isEverywhere.id;
});

afterAll(async () => {
  await Promise.all([nginx, product].map((part) => part?.[Symbol.asyncDispose]()));
});

beforeEach(({ task }) => saveLogOnFailure(`gate-${task.name.slice(0, 30).replaceAll(' ', '-')}`, product.child));

async function map(prefix: string, given: Partial<MappingCreate> = {}): Promise<Mapping> {
  const base = { router: deviceId, kind: 'http' as const, target: nginx.target, prefix };
  const mapping = await owner.createMapping({ ...base, ...given });
  await untilEach(prefix, (reply) => reply.status !== 404);
  return mapping;
}

async function visit(prefix: string, headers: Record<string, string> = {}, path = '/'): Promise<HttpReply> {
  const host = `${prefix}.localhost:${product.ports.http}`;
  return await ask({ port: product.ports.http, path, host, headers });
}

/** Each connection may reach another relay process, so many in a row must agree. */
async function untilEach(
  prefix: string,
  isWanted: (reply: HttpReply) => boolean,
  headers: Record<string, string> = {},
): Promise<void> {
  await waitFor(`every relay knows of ${prefix}`, 30_000, async () => {
    const browsing = { accept: 'text/html', 'sec-fetch-mode': 'cors', ...headers };
    const replies = await Promise.all(Array.from({ length: 12 }, () => visit(prefix, browsing)));
    return replies.every(isWanted);
  });
}

/** Makes the calls of the page at `#/check` for a visitor; returns the cookie for the mapping's host. */
async function enter(
  visitor: ApiClient,
  prefix: string,
  given: { password?: string; share?: string },
): Promise<{ status: number; code: string; cookie?: string }> {
  const url = `http://${prefix}.localhost:${product.ports.http}/`;
  const query = new URLSearchParams({ url, ...(given.share !== undefined && { share: given.share }) });
  const asked = await visitor.call('GET', `/custom/check/?${query.toString()}`);
  const body = { url, password: given.password };
  const reply = given.password === undefined ? asked : await visitor.call('POST', '/custom/check/', body);
  if (reply.status !== 200) return { status: reply.status, code: (reply.json as { code: string }).code };
  const verdict = CheckReply.parse(reply.json);
  if (verdict.redirect === undefined) return { status: 200, code: verdict.reason };
  const { pathname, search } = new URL(verdict.redirect);
  const verified = await visit(prefix, {}, pathname + search);
  const cookie = verified.headers['set-cookie']?.[0]?.split(';')[0];
  return { status: verified.status, code: verdict.reason, ...(cookie !== undefined && { cookie }) };
}

test('the password lets an anonymous client in, and a new password ends that at every relay', async () => {
  const mapping = await map('secret', { policy: 'password', password: 'open sesame' });
  const anonymous = new ApiClient(product);
  const page = await visit('secret', { accept: 'text/html' });
  expect([page.status, page.body.toString()]).toEqual([403, expect.stringContaining('请输入访问密码')]);

  expect(await enter(anonymous, 'secret', { password: 'guess' })).toMatchObject({ code: 'gate.password-wrong' });
  const { cookie = '' } = await enter(anonymous, 'secret', { password: 'open sesame' });
  await untilEach('secret', ({ status }) => status === 200, { cookie });

  await owner.call('PATCH', `/api/user/records/${mapping.id}/`, { password: 'another one' });
  await untilEach('secret', ({ status }) => status === 403, { cookie });
  expect(await enter(anonymous, 'secret', { password: 'open sesame' })).toMatchObject({ code: 'gate.password-wrong' });
});

test('a share link lets one browser in and is cut together with its open connection', async () => {
  await using lan = await startLan((request, response) => {
    if (request.url === '/endless') response.write('it goes on');
    else response.end('album');
  });
  const mapping = await map('album', { target: lan.target });
  const path = `/api/user/records/${mapping.id}/shares/`;
  const link = ShareLink.parse((await owner.call('POST', path, { valid_hours: 1, max_uses: 1 })).json);
  const share = new URL(link.url).pathname.slice('/s/'.length);
  const guest = new ApiClient(product);

  const { cookie = '' } = await enter(guest, 'album', { share });
  await untilEach('album', ({ status }) => status === 200, { cookie });
  expect(await enter(new ApiClient(product), 'album', { share })).toMatchObject({ code: 'share_ended' });

  await using download = await openDownload('album', cookie);
  await owner.call('DELETE', `/api/user/shares/${link.id}/`);
  await download.cut;
  await untilEach('album', ({ status }) => status === 403, { cookie });
});

test('a program is marked by its first request, and the port by its first connection', async () => {
  const web = await map('dav');
  const mark = async ({ id }: Mapping, method: string) =>
    ClientWindow.parse((await owner.call(method, `/api/user/records/${id}/mark_client/`)).json);
  expect((await visit('dav')).status).toBe(403);

  expect(await mark(web, 'POST')).toMatchObject({ state: 'open' });
  // The relays receive the window a moment after its owner, so the client tries until it gets an answer.
  await waitFor(
    'the program passes',
    30_000,
    async () => (await visit('dav', { 'user-agent': 'rclone' })).status === 200,
  );
  expect(await mark(web, 'GET')).toMatchObject({ state: 'claimed', ip: '127.0.0.1' });
  await untilEach('dav', ({ status }) => status === 200);

  await using echo = await startTcpService((socket) => void socket.on('error', () => undefined).pipe(socket));
  const target = `tcp://127.0.0.1:${echo.port}`;
  const tcp = await owner.createMapping({ router: deviceId, kind: 'tcp', target, port: tcpPort });
  await mark(tcp, 'POST');
  await waitFor('the port answers', 30_000, async () => await echoes(tcpPort));
  expect(await mark(tcp, 'GET')).toMatchObject({ state: 'claimed' });
});

test('a closed mapping is closed to its owner as well, and its page says so', async () => {
  const mapping = await map('cellar');
  const { cookie = '' } = await enter(owner, 'cellar', {});
  await untilEach('cellar', ({ status }) => status === 200, { cookie });

  await owner.call('PATCH', `/api/user/records/${mapping.id}/`, { policy: 'closed' });
  await untilEach('cellar', ({ status }) => status === 403, { cookie });
  expect((await visit('cellar', { accept: 'text/html', cookie })).body.toString()).toContain('该地址已禁止访问');
  expect(await enter(owner, 'cellar', {})).toMatchObject({ code: 'closed' });
});

async function startLan(onRequest: RequestListener): Promise<AsyncDisposable & { target: string }> {
  const server = http.createServer(onRequest).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A download that continues until it is aborted. */
async function openDownload(prefix: string, cookie: string): Promise<AsyncDisposable & { cut: Promise<void> }> {
  const host = `${prefix}.localhost:${product.ports.http}`;
  const options = { host: '127.0.0.1', port: product.ports.http, headers: { host, cookie }, agent: false };
  const asked = http.get({ ...options, path: '/endless' });
  asked.on('error', () => undefined); // cut, as is expected
  const [response] = (await once(asked, 'response')) as [http.IncomingMessage];
  await once(response, 'data');
  response.on('error', () => undefined);
  const cut = new Promise<void>((resolve) => response.once('close', resolve));
  return {
    cut,
    async [Symbol.asyncDispose]() {
      asked.destroy();
      await cut;
    },
  };
}

async function echoes(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  const echoed = new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
  socket.write('hello');
  const isEchoed = await echoed;
  socket.destroy();
  return isEchoed;
}
