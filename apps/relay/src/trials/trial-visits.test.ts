import type { TrialSettings, TrialVisit } from '@tongtu/contract';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openFrpcHouse } from '../testing/frpc-house.ts';
import { testCertificate } from '../testing/test-certificate.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const authority = 'nas.localhost:8443';
const likeInTheLan = { hostHeader: 'rewrite', visitorFields: 'omit' } as const;

/** A relay with a service behind it, and a function that has the relay visit it. */
async function openHouse(port: number, route: Parameters<typeof testDevice>[2] = {}) {
  const t = await startTestRelay();
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': port }, route);
  await t.connectDevice(device, key);
  const mappingId = device.routes[0]?.mappingId ?? 0;
  let correlation = 0;
  const send = (settings: TrialSettings = {}, more: Partial<TrialVisit> = {}) => {
    const sent = ++correlation;
    t.server.send({
      type: 'trial',
      correlation: sent,
      deviceId: device.deviceId,
      visit: { mappingId, scheme: 'https', authority, address: '203.0.113.7', settings, ...more },
    });
    return sent;
  };
  const resultOf = async (sent: number) =>
    (await t.server.waitFor('trial_result', (message) => message.correlation === sent)).result;
  const visit = async (...args: Parameters<typeof send>) => await resultOf(send(...args));
  return { server: t.server, send, resultOf, visit, [Symbol.asyncDispose]: async () => await t[Symbol.asyncDispose]() };
}

/** A service that speaks first, as SSH does, and answers no request. */
async function startGreeter(greeting: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(greeting);
    socket.on('data', () => socket.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    port,
    [Symbol.asyncDispose]: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

test('a trial visit follows a page to its login as a browser does, with its cookies', async () => {
  await using nas = await startLanService((request, response) => {
    if (request.url === '/')
      response.writeHead(302, { Location: '/login?next=/', 'Set-Cookie': ['seen=1; Path=/', 'id=2; Secure'] }).end();
    else {
      const hasCookie = request.headers.cookie === 'seen=1; id=2';
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip', Server: 'nas/1' });
      response.end(gzipSync(`<title>Log in &amp; go ${hasCookie}</title>`));
    }
  });
  await using house = await openHouse(nas.port);
  expect(await house.visit()).toMatchObject({
    answers: [
      {
        target: '/',
        status: 302,
        location: '/login?next=/',
        cookies: [
          { name: 'seen', isSecure: false },
          { name: 'id', isSecure: true },
        ],
      },
      { target: '/login?next=/', status: 200, title: 'Log in & go true', server: 'nas/1' },
    ],
    failure: null,
    script: 200,
  });
});

test('it is what a visitor’s request is: the public name, its scheme and the visitor’s address', async () => {
  const seen: unknown[] = [];
  await using nas = await startLanService((request, response) => {
    seen.push(request.headers);
    response.end();
  });
  await using house = await openHouse(nas.port);
  await house.visit();
  expect(seen[0]).toMatchObject({
    host: authority,
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': authority,
    'sec-fetch-mode': 'navigate',
  });
  expect(seen[1]).toMatchObject({ origin: `https://${authority}`, 'sec-fetch-site': 'same-origin' });
});

test('the gate lets it pass, and nobody counts or records it', async () => {
  await using nas = await startLanService((_request, response) => response.end());
  await using house = await openHouse(nas.port, {
    policy: 'owner',
    visitLogDays: 7,
    hours: { days: [], fromMinute: 0, toMinute: 1 },
  });
  expect(await house.visit()).toMatchObject({ answers: [{ status: 200 }] });
  expect(house.server.received.filter(({ type }) => type === 'visits' || type === 'usage')).toEqual([]);
});

test('a service that refuses forwarded fields, or a foreign Host, answers other settings', async () => {
  await using picky = await startLanService((request, response) => {
    if (request.headers['x-forwarded-for'] !== undefined) return response.writeHead(400).end('400: Bad Request');
    const isOwn = request.headers.host?.startsWith('127.0.0.1:') === true;
    response.writeHead(isOwn ? 200 : 403, { 'Content-Type': 'text/plain' }).end('Host not allowed');
  });
  await using house = await openHouse(picky.port);
  expect(await house.visit()).toMatchObject({ answers: [{ status: 400, title: '400: Bad Request' }] });
  expect(await house.visit({ visitorFields: 'omit_address' })).toMatchObject({
    answers: [{ status: 403, title: 'Host not allowed' }],
  });
  expect(await house.visit(likeInTheLan)).toMatchObject({ answers: [{ status: 200, title: null }], script: 200 });
});

test('a service that compares Origin with its own address refuses only scripts', async () => {
  await using checker = await startLanService((request, response) => {
    const { origin, host } = request.headers;
    response.writeHead(origin === undefined || origin === `http://${host}` ? 200 : 403).end();
  });
  await using house = await openHouse(checker.port);
  expect(await house.visit()).toMatchObject({ answers: [{ status: 200 }], script: 403 });
  expect(await house.visit({ originFields: 'rewrite', hostHeader: 'rewrite' })).toMatchObject({ script: 200 });
});

test('a redirect to another place is reported, not followed', async () => {
  await using nas = await startLanService((_request, response) =>
    response.writeHead(301, { Location: 'http://192.168.1.10:5001/' }).end(),
  );
  await using house = await openHouse(nas.port);
  expect(await house.visit()).toEqual({
    answers: [
      {
        target: '/',
        status: 301,
        location: 'http://192.168.1.10:5001/',
        authenticate: null,
        server: null,
        title: null,
        cookies: [],
        isCut: false,
        generator: null,
        isBlank: true,
        origins: [],
      },
    ],
    failure: null,
    script: null,
    socket: null,
    form: null,
    greeting: null,
  });
});

test('a form is tried where nothing is, and with a token where it leads, without the cookie that it needs', async () => {
  const page = (form: string) => `<title>x</title><form method="post" action="?next=/&amp;a=1">${form}<button></form>`;
  let form = '';
  const forms: unknown[] = [];
  await using nas = await startLanService((request, response) => {
    const { method, url, headers } = request;
    if (method === 'GET') return response.writeHead(200, { 'Set-Cookie': 'csrftoken=1' }).end(page(form));
    forms.push([url, headers.origin, headers.cookie, headers['content-length']]);
    response.writeHead(403).end(headers.origin === `http://${headers.host}` ? 'no cookie' : 'bad origin');
  });
  await using house = await openHouse(nas.port);
  expect(await house.visit()).toMatchObject({ form: { status: 403, digest: null } });
  form = '<input type="hidden" name="csrfmiddlewaretoken" value="x">';
  const [visitor, mended] = [await house.visit(), await house.visit({ forwardedProto: 'http' })];
  expect([visitor.form, mended.form]).toEqual([
    { status: 403, digest: expect.any(String) },
    { status: 403, digest: expect.any(String) },
  ]);
  expect(visitor.form?.digest).not.toBe(mended.form?.digest);
  expect(forms).toEqual([
    ['/.well-known/tongtu-test', `https://${authority}`, undefined, '0'],
    ['/?next=/&a=1', `https://${authority}`, undefined, '0'],
    ['/?next=/&a=1', `http://${authority}`, undefined, '0'],
  ]);
});

test('where a page that opens is looked for, nothing else of one that is refused is tried', async () => {
  let requests = 0;
  await using nas = await startLanService((_request, response) => {
    requests++;
    response.writeHead(403).end();
  });
  await using house = await openHouse(nas.port);
  expect(await house.visit({}, { isSearch: true })).toMatchObject({ script: null, socket: null, form: null });
  expect(requests).toBe(1);
});

test('a redirect in a circle ends', async () => {
  await using nas = await startLanService((_request, response) => response.writeHead(302, { Location: '/' }).end());
  await using house = await openHouse(nas.port);
  const { answers } = await house.visit();
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(302));
});

test('the service’s own login is asked once, unless it is known where its WebSocket is', async () => {
  let requests = 0;
  await using nas = await startLanService((_request, response) => {
    requests++;
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="router"' }).end();
  });
  nas.server.on('upgrade', (request, socket) => {
    const status = request.url === '/socket' ? '101 Switching Protocols' : '404 Not Found';
    socket.on('error', () => {});
    socket.end(`HTTP/1.1 ${status}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  });
  await using house = await openHouse(nas.port);
  expect(await house.visit()).toMatchObject({
    answers: [{ status: 401, authenticate: 'Basic realm="router"' }],
    script: null,
    socket: null,
  });
  expect(requests).toBe(1);
  expect(await house.visit({}, { socketPath: '/socket' })).toMatchObject({ socket: 101 });
});

test('a service of another protocol gives no answer, and as a port its greeting', async () => {
  await using ssh = await startGreeter('SSH-2.0-OpenSSH_9.2\r\n');
  await using house = await openHouse(ssh.port);
  expect(await house.visit()).toMatchObject({ answers: [], failure: expect.stringMatching(/^target-/) });
  expect(await house.visit({ kind: 'tcp' })).toMatchObject({ failure: null, greeting: 'SSH-2.0-OpenSSH_9.2\r\n' });
});

test('a device that runs frpc is visited alike, and its service by the other protocol', async () => {
  const lan = createTlsServer(testCertificate, (_request, response) => response.end('<title>NAS over TLS</title>'));
  lan.listen(0, '127.0.0.1');
  await once(lan, 'listening');
  const { port: targetPort } = lan.address() as AddressInfo; // it listens on TCP
  const page = 'nas.example.test';
  await using house = await openFrpcHouse({ [page]: { targetHost: '127.0.0.1', targetPort } });
  await house.connect();
  const mappingId = house.device.routes[0]?.mappingId ?? 0;
  const place = { mappingId, scheme: 'https', authority: page, address: '203.0.113.7' } as const;
  for (const [correlation, settings] of [
    [1, {}],
    [2, { kind: 'https' }],
  ] as const)
    house.t.server.send({ type: 'trial', correlation, deviceId: house.device.deviceId, visit: { ...place, settings } });
  const resultOf = async (correlation: number) =>
    (await house.t.server.waitFor('trial_result', (message) => message.correlation === correlation)).result;
  expect(await resultOf(1)).toMatchObject({ answers: [], failure: expect.stringMatching(/^target-/) });
  expect(await resultOf(2)).toMatchObject({ answers: [{ status: 200, title: 'NAS over TLS' }], failure: null });
  lan.closeAllConnections();
  lan.close();
});

test('one owner is visited nine times at a time, and a visit that is refused says so', async () => {
  await using silent = await startGreeter('');
  await using house = await openHouse(silent.port);
  const visits = Array.from({ length: 10 }, () => house.send({ kind: 'tcp' }));
  const failures: unknown[] = [];
  for (const correlation of visits) failures.push((await house.resultOf(correlation)).failure);
  expect(failures.filter((failure) => failure === 'relay-busy')).toHaveLength(1);
});

test('a mapping that is switched off meanwhile, and a device that leaves, are no failure of the service', async () => {
  await using nas = await startLanService((_request, response) => response.end());
  const t = await startTestRelay();
  await using _ = t;
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': nas.port });
  const agent = await t.connectDevice(device, key);
  const [route] = device.routes;
  const place = {
    mappingId: route!.mappingId,
    scheme: 'https',
    authority,
    address: '203.0.113.7',
    settings: {},
  } as const;
  const visit = async (correlation: number) => {
    t.server.send({ type: 'trial', correlation, deviceId: device.deviceId, visit: place });
    return (await t.server.waitFor('trial_result', (message) => message.correlation === correlation)).result;
  };
  t.server.put({ ...device, routes: [{ ...route!, enabled: false }] });
  expect(await visit(1)).toMatchObject({ answers: [], failure: 'revoked' });
  t.server.put(device);
  nas.server.removeAllListeners('request').on('request', () => agent.kill());
  expect(await visit(2)).toMatchObject({ answers: [], failure: 'device-offline' });
  expect(await visit(3)).toMatchObject({ answers: [], failure: 'device-offline' });
});

test('only the mappings of the named device are visited', async () => {
  await using nas = await startLanService((_request, response) => response.end());
  await using house = await openHouse(nas.port);
  expect(await house.visit({}, { mappingId: 999_999 })).toMatchObject({ answers: [], failure: 'no-mapping' });
});
