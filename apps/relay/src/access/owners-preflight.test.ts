import type { RequestListener } from 'node:http';
import type { DeviceRoutes, Route } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import { PreflightLimit } from './preflight-limit.ts';
import { signVisitorProof, visitorCookieName } from './visitor-cookie.ts';

type Headers = Record<string, string>;

const [owner, otherTenant] = [1, 2];
const preflight = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' };

/** A service with CORS for the pages of `app.example.com`, which says in its answers what it was asked. */
const cors: RequestListener = ({ method, url, headers }, response) => {
  response.setHeader('Access-Control-Allow-Origin', headers.origin ?? '');
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Allow-Methods', 'PUT');
  response.setHeader('Access-Control-Max-Age', '600');
  response.setHeader('Set-Cookie', 'session=secret');
  response.setHeader('X-Asked', JSON.stringify(headers));
  response.end(`secret: ${method} ${url}`);
};

/** `api.example.com` is for verified visitors; its owner has `app.example.com`, too, and another tenant `evil`. */
async function startApi(listener: RequestListener = cors, changes: { route?: Partial<Route> } = {}) {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay());
  const asked: Array<{ method: string; url: string; headers: Headers }> = [];
  const lan = stack.use(
    await startLanService((request, response) => {
      asked.push({ method: request.method!, url: request.url!, headers: request.headers as Headers });
      listener(request, response);
    }),
  );
  const of = (userId: number, hosts: Record<string, number>, route: Partial<Route> = {}) => {
    const key = createAgentKey();
    return { key, device: { ...testDevice(key, hosts, { policy: 'owner', ...route }), userId } };
  };
  const api = of(owner, { 'api.example.com': lan.port }, { visitLogDays: 7, ...changes.route });
  const app = of(owner, { 'app.example.com': 9 });
  t.server.put(app.device);
  t.server.put(of(otherTenant, { 'evil.example.com': 9 }).device);
  await t.connectDevice(api.device, api.key);
  const { httpPort, tlsPort } = t.relay;
  const tls = stack.use(new Http2Client(tlsPort, `api.example.com:${tlsPort}`, { servername: 'api.example.com' }));
  const { mappingId = 0 } = api.device.routes[0] ?? {};
  const proof = { mappingId, verificationId: 5, expiresAtMs: Date.now() + 3_600_000 };
  return {
    t,
    asked,
    httpPort,
    tlsPort,
    pageOf: (host: string, port: number = tlsPort) => `https://${host}.example.com:${port}`,
    cookie: `${visitorCookieName('https')}=${signVisitorProof(t.gateKey, { host: 'api.example.com', scheme: 'https' }, proof)}`,
    async put(device: DeviceRoutes): Promise<void> {
      t.server.put(device);
      const later = createAgentKey();
      await t.connectDevice(testDevice(later, {}), later);
    },
    app: app.device,
    api: api.device,
    async ask(headers: Headers, { method = 'OPTIONS', path = '/items?page=2' } = {}) {
      return await tls.fetch({ ':path': path, ':method': method, ...headers });
    },
    async askHttp1(headers: Headers, body = ''): Promise<string> {
      await using visitor = openRawClient(httpPort);
      const lines = Object.entries({ host: `api.example.com:${httpPort}`, ...headers, connection: 'close' });
      visitor.send(
        `OPTIONS /items HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
      );
      return await visitor.untilEnd();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test.each(['owner', 'password'] as const)(
  'a preflight of another page of the owner reaches a service with the policy %s, and shows only what it allows',
  async (policy) => {
    await using api = await startApi(cors, { route: { policy } });
    const origin = api.pageOf('app');
    const answer = await api.ask({
      ...{ ...preflight, origin, 'access-control-request-private-network': 'true', 'user-agent': 'Browser' },
      ...{
        authorization: 'Basic YTpi',
        cookie: 'session=1',
        'x-api-key': 'k',
        referer: `${origin}/a`,
        'sec-fetch-mode': 'cors',
        'sec-fetch-other': 'hidden',
      },
    });
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'PUT',
      'access-control-max-age': '600',
    });
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.headers).not.toHaveProperty('x-asked');

    const [{ method, url, headers }] = api.asked as [(typeof api.asked)[number]];
    expect([method, url]).toEqual(['OPTIONS', '/items?page=2']);
    expect(headers).toMatchObject({ ...preflight, origin, 'access-control-request-private-network': 'true' });
    for (const name of ['authorization', 'cookie', 'x-api-key', 'referer', 'sec-fetch-other'])
      expect(headers).not.toHaveProperty(name);

    // The same over HTTP/1.1, where it finds the stream that the first one has left.
    const http1 = await api.askHttp1({ ...preflight, origin: `http://app.example.com:${api.httpPort}` });
    expect(http1).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Content-Length: 0\r\n/);
    expect(http1).not.toContain('secret');
  },
);

test('the request itself passes with the visitor’s cookie, and without it its page can read why not', async () => {
  await using api = await startApi();
  const origin = api.pageOf('app');
  const request = { origin, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', accept: 'application/json' };
  const passed = await api.ask({ ...request, cookie: api.cookie }, { method: 'PUT' });
  expect([passed.status, passed.body.toString()]).toEqual([200, 'secret: PUT /items?page=2']);

  const refused = await api.ask(request, { method: 'PUT' });
  expect(refused.status).toBe(403);
  expect(refused.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'Accept, Origin',
  });
  expect(JSON.parse(refused.body.toString())).toMatchObject({ code: 'relay.verify' });
  for (const other of [api.pageOf('evil'), 'http://localhost:8080', 'null']) {
    const hidden = await api.ask({ ...request, origin: other }, { method: 'PUT' });
    expect(hidden.status, other).toBe(403);
    expect(hidden.headers, other).not.toHaveProperty('access-control-allow-origin');
  }
});

test('nothing else passes: other pages, other ports, requests that are no preflight, and bodies', async () => {
  await using api = await startApi();
  const origin = api.pageOf('app');
  for (const headers of [
    { ...preflight, origin: api.pageOf('evil') },
    { ...preflight, origin: api.pageOf('app', 20_001) },
    { ...preflight, origin: `${origin}/path` },
    { ...preflight, origin: 'null' },
    { ...preflight, origin: 'http://localhost:8080' }, // the console has no reason to ask
    { ...preflight, origin: api.pageOf('evil'), 'sec-fetch-site': 'same-origin' },
    preflight,
    { origin },
    { origin, 'access-control-request-method': 'a b' },
    { ...preflight, origin, 'sec-fetch-mode': 'no-cors' },
  ] as Headers[])
    expect((await api.ask(headers)).status, JSON.stringify(headers)).toBe(403);
  for (const method of ['GET', 'HEAD', 'POST'])
    expect((await api.ask({ ...preflight, origin }, { method })).status, method).toBe(403);
  expect((await api.ask({ ...preflight, origin }, { path: '*' })).status).toBe(403);
  const http1 = { ...preflight, origin: `http://app.example.com:${api.httpPort}` };
  expect(await api.askHttp1({ ...http1, 'content-length': '2' }, 'hi')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await api.askHttp1({ ...http1, 'transfer-encoding': 'chunked' }, '0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await api.askHttp1({ ...http1, upgrade: 'h2c' })).toMatch(/^HTTP\/1\.1 (?:200|403) /);
  expect(api.asked.every(({ method, headers }) => method === 'OPTIONS' && headers.upgrade === undefined)).toBe(true);
});

test('a service that says nothing about CORS, refuses, or has a long page shows nothing', async () => {
  let listener: RequestListener = (_request, response) => response.end('secret');
  await using api = await startApi((request, response) => listener(request, response));
  const ask = async () => await api.ask({ ...preflight, origin: api.pageOf('app'), accept: 'text/plain' });
  const refused = await api.ask({ ...preflight, accept: 'text/plain' });
  const expectRefusal = async () => {
    const { status, body } = await ask();
    expect([status, body.toString()]).toEqual([refused.status, refused.body.toString()]);
  };
  await expectRefusal();
  listener = (_request, response) => response.writeHead(404, { 'Access-Control-Allow-Origin': '*' }).end('secret');
  await expectRefusal();
  listener = (_request, response) => response.writeHead(401, { 'WWW-Authenticate': 'NTLM' }).end();
  await expectRefusal();
  listener = (request) => request.socket.destroy();
  await expectRefusal();
  // An endless body ends with the head that was asked for.
  const closed = new Promise((resolve) => {
    listener = (_request, response) => {
      response.writeHead(200, { 'Access-Control-Allow-Origin': '*' });
      const fill = () => void (response.write(Buffer.alloc(64 * 1024)) && setImmediate(fill));
      response.on('drain', fill).on('close', resolve);
      fill();
    };
  });
  expect(await ask()).toMatchObject({ status: 200, body: Buffer.of() });
  await closed;
});

test('an address that is closed stays closed, and an offline one says nothing', async () => {
  await using api = await startApi();
  const ask = async () => await api.ask({ ...preflight, origin: api.pageOf('app') });
  const put = async (route: Partial<Route>, device: Partial<DeviceRoutes> = {}) =>
    await api.put({ ...api.api, ...device, routes: api.api.routes.map((each) => ({ ...each, ...route })) });
  await put({ enabled: false });
  expect((await ask()).status).toBe(403);
  await put({ policy: 'closed' });
  expect((await ask()).status).toBe(403);
  await put({ opensAtMs: Date.now() + 3_600_000 });
  expect((await ask()).status).toBe(403);
  expect(api.asked).toEqual([]);
  // A page that was open before its own address was closed is still the owner's (ADR 17).
  await put({});
  await api.put({ ...api.app, routes: api.app.routes.map((route) => ({ ...route, enabled: false })) });
  expect((await ask()).status).toBe(200);
});

test('a service with a rewritten Host sees the other page’s Origin as it is', async () => {
  await using api = await startApi(cors, { route: { hostHeader: 'rewrite' } });
  const origin = api.pageOf('app');
  const { headers } = await api.ask({ ...preflight, origin });
  expect(headers['access-control-allow-origin']).toBe(origin);
  expect(api.asked[0]?.headers.host).toMatch(/^127\.0\.0\.1:/);
});

test('preflights are no visits', async () => {
  await using api = await startApi();
  expect((await api.ask({ ...preflight, origin: api.pageOf('app') })).status).toBe(200);
  await api.ask({ cookie: api.cookie }, { method: 'GET', path: '/visit' });
  await api.t.server.waitFor('visits', ({ records }) => records.some(({ path }) => path === '/visit'));
  const visits = api.t.server.received.flatMap((message) => (message.type === 'visits' ? message.records : []));
  expect(visits.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /visit']);
});

test('one network has so many preflights at once, and so many in a minute at each service', () => {
  const clock = { ms: 0 };
  const limit = new PreflightLimit(() => clock.ms);
  const held = Array.from({ length: 128 }, () => limit.enter(1, '192.0.2.1'));
  expect(held).not.toContain(undefined);
  expect(limit.enter(1, '192.0.2.1')).toBeUndefined();
  for (const leave of held) leave?.();
  for (let count = held.length; count < 1_200; count++) limit.enter(1, '192.0.2.1')!();
  expect(limit.enter(1, '192.0.2.1')).toBeUndefined();
  expect(limit.enter(2, '192.0.2.1')).toBeDefined();
  expect(limit.enter(1, '192.0.2.2')).toBeDefined();
  clock.ms = 60_000;
  expect(limit.enter(1, '192.0.2.1')).toBeDefined();
});
