import { createHash } from 'node:crypto';
import type { DeviceRoutes } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';
import { signVisitorProof, visitorCookieName } from './visitor-cookie.ts';

type Headers = Record<string, string>;

const [owner, otherTenant] = [1, 2];
const html = { accept: 'text/html' };
const sameSite = { 'sec-fetch-site': 'same-site' };
const frame = { ...html, ...sameSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };

/**
 * Three devices of two users; `nas.example.com` is for verified visitors, and a request to it brings the cookie of one
 * unless its test says otherwise.
 */
async function startGate(change: Partial<DeviceRoutes> = {}) {
  const stack = new AsyncDisposableStack();
  const t = stack.use(await startTestRelay());
  const lan = stack.use(
    await startLanService((request, response) => response.end(`lan:${request.method} ${request.headers.origin}`)),
  );
  lan.server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nopen');
    socket.on('end', () => socket.end());
    socket.on('error', () => socket.destroy()); // cut, as one of the tests wants it
  });
  const of = (userId: number, hosts: Record<string, number>) => {
    const key = createAgentKey();
    return { key, device: { ...testDevice(key, hosts, { policy: 'owner' }), userId } };
  };
  const nas = of(owner, { 'nas.example.com': lan.port, 'cam.example.com': lan.port });
  const others = [
    of(owner, { 'home.example.net': 9, '*.home.example.net': 9 }),
    of(otherTenant, { 'evil.example.com': 9 }),
  ];
  for (const { device } of others) t.server.put(device);
  await t.connectDevice({ ...nas.device, ...change }, nas.key);
  const { mappingId = 0 } = nas.device.routes[0] ?? {};
  const proof = { mappingId, verificationId: 5, expiresAtMs: Date.now() + 3_600_000 };
  const { httpPort, tlsPort } = t.relay;
  const tls = stack.use(new Http2Client(tlsPort, `nas.example.com:${tlsPort}`, { servername: 'nas.example.com' }));
  return {
    t,
    device: nas.device,
    httpPort,
    tlsPort,
    cookieOf: (scheme: 'http' | 'https') =>
      `${visitorCookieName(scheme)}=${signVisitorProof(t.gateKey, { host: 'nas.example.com', scheme }, proof)}`,
    /** Status and text of an answer over HTTP/1.1. */
    async http(method: string, headers: Headers, { cookie = true } = {}): Promise<string> {
      await using visitor = openRawClient(httpPort);
      const all = { host: `nas.example.com:${httpPort}`, ...(cookie && { cookie: this.cookieOf('http') }), ...headers };
      const lines = Object.entries(all).map(([name, field]) => `${name}: ${field}\r\n`);
      const connection = 'upgrade' in headers ? '' : 'Connection: close\r\n';
      visitor.send(`${method} /x HTTP/1.1\r\n${lines.join('')}${connection}\r\n`);
      const text = 'upgrade' in headers ? await visitor.until(/\r\n\r\n./) : await visitor.untilEnd();
      return Buffer.from(text, 'latin1').toString();
    },
    async stream(method: string, headers: Headers) {
      return await tls.fetch({ ':path': '/x', ':method': method, cookie: this.cookieOf('https'), ...headers });
    },
    /** Status and text of an answer over HTTP/2. */
    async http2(method: string, headers: Headers): Promise<string> {
      const { status, body } = await this.stream(method, headers);
      return `${status} ${body.toString()}`;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const address = (host: string, port: number, scheme = 'http') => `${scheme}://${host}:${port}`;

test('a request from another user’s page is refused, with a verified visitor’s cookie or without', async () => {
  await using gate = await startGate();
  const origin = address('evil.example.com', gate.httpPort);
  expect(await gate.http('POST', {})).toMatch(/^HTTP\/1\.1 200 [^]*lan:POST undefined/);

  const turnedAway = await gate.http('POST', { origin, accept: 'application/json' });
  expect(turnedAway).toMatch(/^HTTP\/1\.1 403 /);
  expect(JSON.parse(turnedAway.slice(turnedAway.indexOf('\r\n\r\n')))).toMatchObject({
    code: 'relay.other-site',
    detail: expect.stringContaining('其他网站的页面'),
  });
  const asNobody = await gate.http('POST', { origin, accept: 'application/json' }, { cookie: false });
  const withoutDate = (answer: string) => answer.replace(/\r\nDate: .*/i, '');
  expect(withoutDate(asNobody)).toBe(withoutDate(turnedAway));

  expect(await gate.http2('POST', { origin: address('evil.example.com', gate.tlsPort, 'https') })).toMatch(/^403 /);
  expect(await gate.http2('GET', { ...sameSite, 'sec-fetch-mode': 'no-cors' })).toMatch(/^403 /);
});

test('a WebSocket of another user’s page is refused, and one of the owner’s page opens', async () => {
  await using gate = await startGate();
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
  const open = async (host: string) => await gate.http('GET', { ...upgrade, origin: address(host, gate.httpPort) });
  expect(await open('evil.example.com')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await open('nas.example.com')).toMatch(/^HTTP\/1\.1 101 /);
  expect(await open('cam.example.com')).toMatch(/^HTTP\/1\.1 101 /);
});

test('requests from the owner’s pages pass: of the same device, of another one, under a custom domain, by either scheme', async () => {
  await using gate = await startGate();
  const { httpPort, tlsPort } = gate;
  for (const origin of [
    address('nas.example.com', httpPort),
    address('NAS.example.com.', httpPort),
    address('cam.example.com', httpPort),
    address('home.example.net', httpPort),
    address('home.example.net', tlsPort, 'https'),
    'https://home.example.net',
    'http://home.example.net',
    'http://localhost:8080', // the console
  ]) {
    expect(await gate.http('POST', { origin }), origin).toContain(`lan:POST ${origin}`);
    expect(await gate.http2('GET', { ...frame, referer: `${origin}/dashboard` }), origin).toMatch(/^200 lan:GET/);
  }
});

test('a page at another port of the owner’s host counts as another site, because it may be another tenant’s', async () => {
  await using gate = await startGate();
  for (const host of ['nas.example.com', 'cam.example.com', 'localhost'])
    expect(await gate.http('POST', { origin: address(host, 20_001) }), host).toMatch(/^HTTP\/1\.1 403 /);
});

test('without owner ids the relay takes only the mappings of one device for one owner’s', async () => {
  await using gate = await startGate({ userId: undefined });
  const from = async (host: string) => await gate.http('POST', { origin: address(host, gate.httpPort) });
  expect(await from('cam.example.com')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await from('home.example.net')).toMatch(/^HTTP\/1\.1 403 /);
});

test('in the frame of another site the page says why it is refused, and opens the address in a new window', async () => {
  await using gate = await startGate();
  const page = await gate.http('GET', { ...frame, referer: 'https://evil.example.com/' });
  expect(page).toMatch(/^HTTP\/1\.1 403 /);
  expect(page).toContain('不能在其他网站的页面里打开');
  expect(page).toContain(`<a class="button" href="http://nas.example.com:${gate.httpPort}/x" target="_blank"`);
  expect(page).toMatch(/Content-Security-Policy: default-src 'none'/);
  expect(page).not.toContain('frame-ancestors');
  expect(page).not.toContain('127.0.0.1');
  // The browser sends this when the visitor clicks the link.
  const visit = { ...html, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect(await gate.http('GET', visit)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a frame without a Referer opens where the browser knows that it is in the owner’s page', async () => {
  await using gate = await startGate();
  const { tlsPort } = gate;
  const unnamed = { ...frame, 'sec-fetch-site': 'cross-site' };
  const { status, headers, body } = await gate.stream('GET', unnamed);
  expect([status, headers['referrer-policy']]).toEqual([403, 'origin']);
  const policy = String(headers['content-security-policy']);
  const ancestors = /frame-ancestors (.*)$/.exec(policy)?.[1]?.split(' ');
  const named = ['nas.example.com', 'cam.example.com', 'home.example.net'].map((host) =>
    address(host, tlsPort, 'https'),
  );
  expect(ancestors).toEqual(["'self'", 'http://localhost:8080', ...named]);

  // The script of the page repeats the request.
  const page = body.toString();
  const script = /<script>(.*)<\/script>/.exec(page)?.[1] ?? '';
  expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  expect(script).toContain('location.replace(');
  expect(page).toContain('<meta name="referrer" content="origin">');
  expect(await gate.http2('GET', { ...frame, 'sec-fetch-site': 'same-origin' })).toMatch(/^200 lan:GET/);

  // No other request without a Referer gets this page.
  for (const request of [
    { ...unnamed, 'sec-fetch-dest': 'object' },
    { ...sameSite, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { ...unnamed, referer: 'https://evil.example.com/' },
  ])
    expect((await gate.stream('GET', request)).body.toString()).not.toContain('<script>');
});

test('a prefetch reaches the device only from pages of the owner', async () => {
  await using gate = await startGate();
  const { tlsPort } = gate;
  const visit = { ...html, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const ahead = { ...visit, 'sec-purpose': 'prefetch' };
  const from = (host: string) => ({ ...ahead, referer: `${address(host, tlsPort, 'https')}/` });

  expect(await gate.http2('GET', visit)).toMatch(/^200 lan:GET/);
  for (const headers of [ahead, from('evil.example.com')]) {
    expect(await gate.http2('GET', headers)).toMatch(/^403 /);
    expect(await gate.http('GET', headers)).toMatch(/^HTTP\/1\.1 403 /);
  }
  expect(await gate.http2('GET', from('home.example.net'))).toMatch(/^200 lan:GET/);
});

test('a form that another site sends shows the page, too', async () => {
  await using gate = await startGate();
  const page = await gate.http('POST', { ...html, origin: 'https://shop.example', 'content-length': '0' });
  expect(page).toMatch(/^HTTP\/1\.1 403 [^]*<h1>不能在其他网站的页面里打开<\/h1>/);
});

test('an allowed address does not pass for pages of other sites, and they cannot mark a client', async () => {
  await using allowed = await startGate({ allowList: ['127.0.0.1'] });
  expect(await allowed.http('GET', {}, { cookie: false })).toMatch(/^HTTP\/1\.1 200 /);
  expect(await allowed.http('GET', { origin: 'https://shop.example' }, { cookie: false })).toMatch(/^HTTP\/1\.1 403 /);

  await using marking = await startGate();
  const { device } = marking;
  const clientWindowUntilMs = Date.now() + 60_000;
  marking.t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, clientWindowUntilMs })) });
  const later = createAgentKey();
  await marking.t.connectDevice(testDevice(later, {}), later);
  expect(await marking.http('GET', frame, { cookie: false })).toContain('不能在其他网站的页面里打开');
  expect(marking.t.server.received.some(({ type }) => type === 'mark_client')).toBe(false);
});

test('a public mapping takes requests of every site, until it is one for verified visitors', async () => {
  await using gate = await startGate();
  const { device, t, httpPort } = gate;
  const put = (policy: 'public' | 'owner') =>
    t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, policy })) });
  put('public');
  const later = createAgentKey();
  await t.connectDevice(testDevice(later, {}), later);
  const head = (host: string) =>
    `GET / HTTP/1.1\r\nHost: nas.example.com\r\nCookie: ${gate.cookieOf('http')}\r\nOrigin: ${address(host, httpPort)}\r\n` +
    'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  await using evil = openRawClient(httpPort);
  evil.send(head('evil.example.com'));
  await using own = openRawClient(httpPort);
  own.send(head('cam.example.com'));
  for (const socket of [evil, own]) expect(await socket.until(/open$/)).toMatch(/^HTTP\/1\.1 101 /);

  put('owner');
  await evil.untilEnd();
  expect(own.hasEnded).toBe(false);
});

test('a page of the mapping whose port a proxy has left out of Host reads what to set', async () => {
  await using gate = await startGate();
  const page = { ...html, host: 'nas.example.com', origin: 'http://nas.example.com:9443' };
  expect(await gate.http('POST', page)).toMatch(/ 403 [^]*proxy_set_header Host \$http_host/);
  expect(await gate.http('POST', { ...page, origin: 'http://evil.example:9443' })).not.toContain('http_host');
});
