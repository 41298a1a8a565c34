import type { TrialResult, TrialVisit } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { recognizeService } from '../../../discovery/index.ts';
import { checkVisits } from './check-visits.ts';
import { check, mapping, passTo, type Service } from './testing/check-service.ts';

test('a visitor who gets the page of the LAN gets a plain yes', async () => {
  expect(await check(() => ({ title: '群晖' }))).toEqual({
    ok: true,
    step: 'visit',
    hint: '访客可以打开：HTTP 200，“群晖”',
    visit: {
      visitor: { url: 'https://nas.example.com/', text: 'HTTP 200，“群晖”' },
      direct: { url: 'http://192.168.1.10:5000/', text: 'HTTP 200，“群晖”' },
      fix: null,
      advice: null,
    },
  });
});

test('the service’s own login is no failure', async () => {
  const service: Service = () => ({ status: 401, authenticate: 'Basic realm="router"' });
  expect(await check(service)).toMatchObject({
    ok: true,
    hint: '访客可以打开，服务自己要求登录：HTTP 401，要求登录（router）',
  });
  // It may let the LAN in without one.
  const strict: Service = ({ hasAddress }) => (hasAddress ? { status: 401, authenticate: 'Digest realm="x"' } : {});
  expect(await check(strict)).toMatchObject({ ok: true, visit: { fix: null } });
});

test.each([404, 405, 426])('a service for programs that answers %i at its start page works', async (status) => {
  expect(await check(() => ({ status }))).toMatchObject({ ok: true, hint: expect.stringContaining(`HTTP ${status}`) });
});

test('a service that speaks WebSocket alone works', async () => {
  expect(await check(() => ({ status: 400, socket: 101 }))).toMatchObject({
    ok: true,
    hint: '访客可以使用：服务的首页返回 HTTP 400，它接受 WebSocket 连接',
  });
});

test('forwarded fields that a service refuses are left out by the offered settings, beside the advice for Home Assistant', async () => {
  const service: Service = ({ hasAddress }) =>
    hasAddress ? { status: 400, title: '400: Bad Request' } : { title: 'Home Assistant' };
  expect(await check(service)).toMatchObject({
    ok: false,
    step: 'visit',
    hint: '服务拒绝带访客地址（X-Forwarded-For 等）的请求',
    visit: {
      visitor: { text: 'HTTP 400，“400: Bad Request”' },
      direct: { text: 'HTTP 200，“Home Assistant”' },
      fix: { visitor_fields: 'omit_address' },
      advice: expect.stringContaining('trusted_proxies'),
    },
  });
});

test('what is named and offered is what has to change, and no more', async () => {
  const service: Service = ({ hasAddress }) => (hasAddress ? { status: 400 } : {});
  expect(await check(service, { hostHeader: 'rewrite' })).toMatchObject({
    hint: '服务拒绝带访客地址（X-Forwarded-For 等）的请求',
    visit: { fix: { visitor_fields: 'omit_address' } },
  });
});

test('a wrong Host is named, and the address of the target offered', async () => {
  const service: Service = ({ host }) => (host.startsWith('192.') ? {} : { status: 421 });
  expect(await check(service)).toMatchObject({
    ok: false,
    hint: '服务不接受 nas.example.com 作为 Host，只认自己的地址',
    visit: { fix: { host_header: 'rewrite' } },
  });
});

test('a service that wants the public name again gets it', async () => {
  const service: Service = ({ host, isDirect }) => (host === 'nas.example.com' || isDirect ? {} : { status: 502 });
  expect(await check(service, { hostHeader: 'rewrite' })).toMatchObject({
    ok: false,
    hint: '服务要求请求里的 Host 是 nas.example.com',
    visit: { fix: { host_header: 'keep' } },
  });
});

test('two refusals at once are found together', async () => {
  const service: Service = ({ host, hasAddress }) => {
    if (hasAddress) return { status: 400 };
    return host.startsWith('192.') ? {} : { status: 403 };
  };
  expect(await check(service)).toMatchObject({
    hint: '服务不接受 nas.example.com 作为 Host，只认自己的地址，而且服务拒绝带访客地址（X-Forwarded-For 等）的请求',
    visit: { fix: { host_header: 'rewrite', visitor_fields: 'omit_address' } },
  });
});

test('a page that opens while its scripts are refused is a failure', async () => {
  const service: Service = ({ origin }) => ({ script: origin === 'http://192.168.1.10:5000' ? 200 : 403 });
  expect(await check(service)).toMatchObject({
    ok: false,
    hint: expect.stringContaining('网页里的程序发出的请求被拒绝'),
    visit: { fix: { origin_fields: 'rewrite' } },
  });
  const socket: Service = ({ origin }) => ({ socket: origin === 'http://192.168.1.10:5000' ? 101 : 403 });
  expect(await check(socket)).toMatchObject({ ok: false, hint: expect.stringContaining('WebSocket') });
  // As Cockpit: the right Host, but by the scheme of its own port.
  const plain: Service = ({ origin, host }) => ({ socket: origin === `http://${host}` ? 101 : 403 });
  expect(await check(plain)).toMatchObject({
    hint: expect.stringContaining('服务以为网页是用 http 打开的'),
    visit: { fix: { forwarded_proto: 'http' } },
  });
});

test('of a known service the scripts are tried where it checks them', async () => {
  const service: Service = ({ host }) => ({
    title: 'Transmission Web Interface',
    script: host.startsWith('192.') ? 409 : 421,
  });
  expect(await check(service)).toMatchObject({ ok: false, visit: { fix: { host_header: 'rewrite' } } });
});

test('Cockpit is known by its cookie, and its WebSocket is tried where it checks the origin', async () => {
  const paths: unknown[] = [];
  const service: Service = ({ origin }) => ({
    title: 'Loading...',
    cookies: [{ name: 'cockpit', isSecure: false }],
    socket: origin.startsWith('https:') ? 403 : 101,
  });
  expect(await check(service, {}, 'https://example.com', (visit) => void paths.push(visit.socketPath))).toMatchObject({
    ok: false,
    hint: expect.stringContaining('服务以为网页是用 http 打开的'),
    visit: { fix: { forwarded_proto: 'http' } },
  });
  expect(paths.slice(2)).toEqual(paths.slice(2).map(() => '/cockpit/socket'));
});

test('a cookie that browsers take from https alone is warned of where visitors come by http', async () => {
  const service: Service = () => ({ cookies: [{ name: 'session', isSecure: true }] });
  const warning = expect.stringContaining('Secure');
  expect(await check(service, {}, 'http://example.com:8080')).toMatchObject({ ok: true, warning });
  expect(await check(service, {}, 'https://example.com')).not.toHaveProperty('warning');
  expect(await check(service, { forwardedProto: 'https' }, 'http://example.com:8080')).toMatchObject({
    ok: true,
    warning: expect.stringContaining('“告诉服务的协议”'),
  });
  // Browsers trust the names of their own machine.
  expect(await check(service, { suffix: 'localhost' }, 'http://localhost:8080')).not.toHaveProperty('warning');
});

test('a page that ends too early is warned of', async () => {
  expect(await check(() => ({ isCut: true }))).toMatchObject({ ok: true, warning: expect.stringContaining('不完整') });
});

test('a known service that asks for its own login is visited no more often than another one', async () => {
  const visits: TrialVisit[] = [];
  const service: Service = () => ({ status: 401, authenticate: 'Basic realm="Transmission"', server: 'Transmission' });
  expect(await check(service, {}, 'https://example.com', (visit) => void visits.push(visit))).toMatchObject({
    ok: true,
  });
  expect(visits).toHaveLength(2);
});

test('a redirect to an address of the LAN is named, with what it leads to', async () => {
  const service: Service = ({ host }) => ({
    status: 302,
    location: `http://${host.replace(/^nas.*/, '192.168.1.10:5000')}/ui`,
  });
  expect(await check(service)).toMatchObject({
    ok: false,
    hint: expect.stringContaining('http://192.168.1.10:5000/ui'),
  });
});

test('a redirect to the https port of a NAS says which target to use', async () => {
  const service: Service = ({ host }) => ({ status: 302, location: `https://${host.replace(/:.*/, '')}:5001/` });
  expect(await check(service)).toMatchObject({
    ok: false,
    hint: expect.stringContaining('请把映射的目标改为 https://192.168.1.10:5001'),
    visit: { fix: null, visitor: { text: '跳转到 https://nas.example.com:5001/，这个端口在外面打不开' } },
  });
});

test('a circle that somebody in the LAN goes in as well is the service’s own', async () => {
  const service: Service = ({ isDirect, host }) => ({
    status: 307,
    location: `${isDirect ? 'http' : 'https'}://${host}/`,
  });
  expect(await check(service)).toMatchObject({
    ok: false,
    hint: '访客会一直跳转到 https://nas.example.com/，走不出来，设备直接访问也是如此，请检查服务自己的跳转设置',
  });
});

test('of a service that answers neither name it is said where to write the right one', async () => {
  const remedy = (result: Partial<TrialResult>) => check(() => ({ answers: [], ...result }));
  expect((await remedy({ failure: 'target-lost' })).hint).toContain('把“Host 处理”改为它认识的域名');
  expect((await remedy({ failure: 'target-tls-failed' })).hint).toContain('把“Host 处理”和“TLS 名称”改为它认识的域名');
});

test('the scheme that a service takes pages to come by is named as it is', async () => {
  const service: Service = ({ proto, isDirect }) => ({ script: isDirect || proto === 'https' ? 200 : 403 });
  expect(await check(service, {}, 'http://example.com')).toMatchObject({
    hint: expect.stringContaining('服务以为网页是用 https 打开的，不接受来自 http 网页的请求'),
    visit: { fix: { forwarded_proto: 'https' } },
  });
  const own: Service = ({ origin }) => ({ script: origin === 'http://192.168.1.10:5000' ? 200 : 403 });
  expect((await check(own, {}, 'http://example.com')).hint).toContain(
    '服务不接受来自 http://nas.example.com 页面的请求',
  );
});

test('a circle of redirects ends with the scheme that the service wants', async () => {
  const service: Service = ({ proto }) => (proto === 'http' ? {} : { status: 301, location: '/' });
  const direct: Service = (seen) => (seen.isDirect ? {} : service(seen));
  expect(await check(direct)).toMatchObject({
    ok: false,
    hint: expect.stringMatching(/走不出来|访客的协议/),
  });
});

test('https at an http target is offered as another target, and the reverse', async () => {
  const tls: Service = ({ kind }) =>
    kind === 'https' ? { title: 'DSM' } : { status: 400, title: 'plain HTTP request' };
  expect(await check(tls)).toMatchObject({
    ok: false,
    hint: '这个端口提供的是 HTTPS，映射的目标写的是 http',
    visit: { fix: { target: 'https://192.168.1.10:5000' }, direct: { url: 'https://192.168.1.10:5000/' } },
  });
  const plain: Service = ({ kind }) => (kind === 'http' ? {} : { answers: [], failure: 'target-tls-failed' });
  expect(await check(plain, { kind: 'https', verifyTls: true })).toMatchObject({
    ok: false,
    hint: '这个端口提供的是 HTTP，映射的目标写的是 https',
    visit: { fix: { target: 'http://192.168.1.10:5000', verify_tls: false } },
  });
});

test('a service that ends the TLS handshake for all names but its public one gets that', async () => {
  const service: Service = ({ tlsName }) =>
    tlsName === 'nas.example.com' ? {} : { answers: [], failure: 'target-tls-failed' };
  const target = { kind: 'https', targetHost: 'nas.lan' } as const;
  expect(await check(service, target)).toMatchObject({
    ok: false,
    hint: '服务按 TLS 名称（SNI）区分网站，只接受 nas.example.com',
    visit: { fix: { tls_name: 'nas.example.com' } },
  });
  // The name in the Host is that of the handshake, where the target is an address.
  const named = { kind: 'https', hostHeader: 'rewrite' } as const;
  expect(await check(service, named)).toMatchObject({
    visit: { fix: { tls_name: 'nas.example.com', host_header: 'keep' } },
  });
  const visits: TrialVisit[] = [];
  const none: Service = () => ({ answers: [], failure: 'target-tls-failed' });
  await check(none, { kind: 'https' }, undefined, (visit) => void visits.push(visit));
  expect(visits.map(({ settings }) => settings.tlsName)).not.toContain('nas.example.com');
});

test('a TLS name that a service refuses is taken back', async () => {
  const service: Service = ({ tlsName }) => (tlsName === '' ? {} : { answers: [], failure: 'target-tls-failed' });
  expect(await check(service, { kind: 'https', tlsName: 'old.example.com' })).toMatchObject({
    ok: false,
    hint: '服务按 TLS 名称（SNI）区分网站，只接受它自己的名称',
    visit: { fix: { tls_name: '' } },
  });
});

test.each([
  ['service-login', 'httpUser'],
  ['no-service-here', 'locations'],
])('what a frpc.toml says to a visitor (%s) is no fault', async (failure, words) => {
  expect(await check(() => ({ answers: [], failure }), { frpcProxy: 'web' })).toMatchObject({
    ok: true,
    hint: expect.stringContaining(words),
  });
});

test('a service of another protocol is named', async () => {
  const ssh: Service = ({ kind }) =>
    kind === 'tcp' ? { answers: [], greeting: 'SSH-2.0-OpenSSH_9.2\r\n' } : { answers: [], failure: 'target-lost' };
  expect(await check(ssh)).toMatchObject({
    ok: false,
    step: 'http',
    hint: 'http://192.168.1.10:5000 不是网页服务，而是 SSH：请新建一条 TCP 端口映射',
  });
});

test('what fails in the LAN as well is the service’s own', async () => {
  expect(await check(() => ({ status: 500 }))).toMatchObject({
    ok: true,
    hint: '线路正常，但服务本身出错：HTTP 500，设备直接访问也是如此，请检查该服务',
  });
});

test('what no settings mend is said with both results', async () => {
  expect(await check(({ isDirect }) => (isDirect ? {} : { status: 403 }))).toMatchObject({
    ok: false,
    hint: '访客得到的是：HTTP 403；设备直接访问是：HTTP 200。已换 8 种设置试过，结果都一样，请检查服务自己的设置',
    visit: { fix: null },
  });
});

test('a search that takes too long ends with what it has seen', async () => {
  const service: Service = ({ isDirect }) => (isDirect ? {} : { status: 403 });
  const times = [0, 100, 200, 7_000];
  const nextMs = () => times.shift() ?? 7_000;
  expect((await check(service, {}, undefined, undefined, nextMs)).hint).toMatch(
    /服务回应较慢，只来得及换 [36] 种设置试，/,
  );
});

test('what works is found in time where each visit waits for a WebSocket that nobody answers', async () => {
  // As Vite does, which serves its own address alone.
  const service: Service = ({ host }) => (host === 'nas.example.com' ? { status: 403 } : { socket: null });
  let [passedMs, open] = [0, 0];
  const onVisit = () => {
    if (open++ === 0) setImmediate(() => ((passedMs += 1_600), (open = 0)));
  };
  const slowly = async (visited: TrialVisit) => {
    onVisit();
    await new Promise((resolve) => setImmediate(resolve));
    return passTo(service, mapping)(visited);
  };
  const deps = { publicUrl: 'https://example.com', tlsPort: 443, recognizeService, monotonicMs: () => passedMs };
  const { signal } = new AbortController();
  const place = { target: { relayIds: ['r1'], deviceId: 1 }, address: '203.0.113.7', signal };
  const found = await checkVisits(
    { ...deps, tryVisit: async (_target, visited) => await slowly(visited) },
    mapping,
    place,
  );
  expect(found).toMatchObject({ ok: false, visit: { fix: { host_header: 'rewrite' } } });
});

test('a service that refuses only forms, by their Origin, is mended', async () => {
  // As Astro does, which does not know of TLS before it.
  const service: Service = ({ host, origin }) => ({
    form: { status: origin === `http://${host}` ? 404 : 403, digest: null },
  });
  const hint = expect.stringContaining('网页本身可以打开，但提交表单（例如登录）会被拒绝');
  expect(await check(service)).toMatchObject({ ok: false, hint, visit: { fix: { forwarded_proto: 'http' } } });
  expect(await check(service, { forwardedProto: 'http' })).toMatchObject({ ok: true });
  expect(await check(() => ({ form: { status: 403, digest: null } }))).toMatchObject({ ok: true });
});

test('a form that is refused for another reason than in the LAN counts only if settings make the two the same', async () => {
  // As Django does: it looks at the Origin first, and then for a cookie.
  const django: Service = ({ host, origin }) => ({
    form: { status: 403, digest: origin === `http://${host}` ? 'no cookie' : 'bad origin' },
  });
  expect(await check(django)).toMatchObject({ ok: false, visit: { fix: { forwarded_proto: 'http' } } });
  let requests = 0;
  const random: Service = () => ({ form: { status: 403, digest: String(requests++) } });
  expect(await check(random)).toMatchObject({ ok: true, visit: { fix: null } });
});

test('of a mapping that a frpc.toml manages only the visitor’s part is known', async () => {
  expect(await check(() => ({ status: 403 }), { frpcProxy: 'web' })).toMatchObject({
    ok: true,
    hint: '线路正常，但服务拒绝了访问：HTTP 403，请检查服务自己的访问限制',
    visit: { direct: null, fix: null },
  });
});
