import { expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { openRawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

/** A router's page: it takes only forms that come from itself, and leads to itself by its own address. */
async function startRouter() {
  return await startLanService((request, response) => {
    const { host, origin, referer } = request.headers;
    const own = `http://${host}`;
    if (request.method === 'POST' && (origin !== own || referer?.startsWith(`${own}/`) !== true)) {
      response.writeHead(403).end('forged');
      return;
    }
    const status = request.url === '/login' ? 302 : 200;
    response.writeHead(status, {
      Location: `${own}/home?from=login`,
      'Access-Control-Allow-Origin': own,
      Refresh: `5; url=${own}/home`,
      'Set-Cookie': `id=1; Domain=${host?.split(':')[0]}`,
      'X-Host': host ?? '',
    });
    response.end(`public ${String(request.headers['x-forwarded-host'])}`);
  });
}

test('a form of a router that knows only its own address works over http', async () => {
  await using t = await startTestRelay();
  await using router = await startRouter();
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'router.localhost': router.port }, { hostHeader: 'rewrite' }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  const publicName = `router.localhost:${t.relay.httpPort}`;
  const post = (origin: string) =>
    `POST /login HTTP/1.1\r\nHost: ${publicName}\r\nOrigin: ${origin}\r\nReferer: ${origin}/form\r\nContent-Length: 0\r\n\r\n`;
  visitor.send(post(`http://${publicName}`));
  const text = await visitor.until(/public .*\r\n0\r\n\r\n/s);
  expect(text).toMatch(/^HTTP\/1\.1 302 /);
  expect(text).toContain(`X-Host: 127.0.0.1:${router.port}\r\n`);
  expect(text).toContain(`Location: http://${publicName}/home?from=login\r\n`);
  expect(text).toContain(`Access-Control-Allow-Origin: http://${publicName}\r\n`);
  expect(text).toContain(`Refresh: 5; url=http://${publicName}/home\r\n`);
  expect(text).toContain('Set-Cookie: id=1\r\n');
  expect(text).toContain(`public 127.0.0.1:${router.port}`);
  visitor.clear();
  visitor.send(post('http://evil.example'));
  expect(await visitor.until(/forged/)).toMatch(/^HTTP\/1\.1 403 /);
});

test('the same works over HTTP/2, where the public scheme differs', async () => {
  await using t = await startTestRelay();
  await using router = await startRouter();
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'router.localhost': router.port }, { hostHeader: 'rewrite' }), key);
  await using visitor = new Http2Client(t.relay.tlsPort, 'router.localhost');
  const origin = 'https://router.localhost';
  const answer = await visitor.fetch({ ':method': 'POST', ':path': '/login', origin, referer: `${origin}/form` }, '');
  expect(answer.status).toBe(302);
  expect(answer.headers).toMatchObject({
    location: `${origin}/home?from=login`,
    'access-control-allow-origin': origin,
    refresh: `5; url=${origin}/home`,
  });
});

test('with the Host kept, a redirect of a service that knows nothing of TLS leads to https', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((request, response) =>
    response.writeHead(302, { Location: `http://${request.headers.host}/home` }).end(),
  );
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using secure = new Http2Client(t.relay.tlsPort, 'nas.localhost');
  const locationAt = async (authority: string, path = '/') =>
    (await secure.fetch({ ':path': path, ':authority': authority })).headers['location'];
  expect(await locationAt(`nas.localhost:${t.relay.tlsPort}`)).toBe(`https://nas.localhost:${t.relay.tlsPort}/home`);
  expect(await locationAt('nas.localhost')).toBe('https://nas.localhost/home');
  // It would lead in a circle: a service that knows of TLS wants none.
  expect(await locationAt('nas.localhost', '/home')).toBe('http://nas.localhost/home');
  await using plain = openRawClient(t.relay.httpPort);
  plain.send('GET / HTTP/1.1\r\nHost: nas.localhost:8080\r\n\r\n');
  expect(await plain.until(/Location: .*\r\n/)).toContain('Location: http://nas.localhost:8080/home\r\n');
});

test('a cookie for a custom domain stays one, and below the suffix it becomes the host’s', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((request, response) =>
    response.setHeader('Set-Cookie', `a=1; Domain=${request.headers.host}`).end('set'),
  );
  const key = createAgentKey();
  const shared = testDevice(key, { 'nas.localhost': lan.port });
  const own = testDevice(key, { 'nas.user.net': lan.port }, { isOwnDomain: true });
  await t.connectDevice({ ...shared, routes: [...shared.routes, ...own.routes] }, key);
  for (const [host, cookie] of [
    ['nas.localhost', 'Set-Cookie: a=1\r\n'],
    ['nas.user.net', 'Set-Cookie: a=1; Domain=nas.user.net\r\n'],
  ] as const) {
    await using visitor = openRawClient(t.relay.httpPort);
    visitor.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(await visitor.until(/set$/)).toContain(cookie);
  }
});

test('a service without a rewritten Host sees the public name, and its answers stay unchanged', async () => {
  await using t = await startTestRelay();
  await using lan = await startRouter();
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n');
  const text = await visitor.untilEnd();
  expect(text).toContain('X-Host: nas.localhost\r\n');
  expect(text).toContain('Location: http://nas.localhost/home?from=login\r\n');
});
