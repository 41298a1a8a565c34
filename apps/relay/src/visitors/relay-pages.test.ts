import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Route } from '@tongtu/contract';
import { describe, expect, test } from 'vitest';
import { Http2Client } from '../testing/clients/http2-client.ts';
import { openRawClient, RawClient } from '../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../testing/start-test-relay.ts';

const browser = 'Accept: text/html,*/*\r\nSec-Fetch-Mode: navigate\r\n';

async function fetchPage(port: number, host: string, headers = browser): Promise<string> {
  await using visitor = openRawClient(port);
  visitor.send(`GET /x HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`);
  return await visitor.untilEnd();
}
const chinese = (latin1: string) => Buffer.from(latin1, 'latin1').toString();

test('an unknown name gets a page that says so, with a link to the reason', async () => {
  await using t = await startTestRelay();
  const page = chinese(await fetchPage(t.relay.httpPort, 'nobody.localhost'));
  expect(page).toMatch(/^HTTP\/1\.1 404 /);
  expect(page).toContain('没有这个地址');
  expect(page).toContain('http://localhost:8080/#/errorport?invalidDomain=nobody.localhost');
  expect(page).toMatch(/Cache-Control: no-store/);
  expect(page).toMatch(/X-Robots-Tag: noindex/);
  expect(page).toMatch(/Content-Security-Policy: default-src 'none'; style-src 'sha256-/);
});

test('a program gets a short text or JSON in place of a page', async () => {
  await using t = await startTestRelay();
  const text = await fetchPage(t.relay.httpPort, 'nobody.localhost', 'Accept: */*\r\n');
  expect(text).toMatch(/Content-Type: text\/plain; charset=utf-8/);
  expect(text).not.toContain('<');
  const json = chinese(await fetchPage(t.relay.httpPort, 'nobody.localhost', 'Accept: application/json\r\n'));
  expect(JSON.parse(json.slice(json.indexOf('\r\n\r\n')))).toMatchObject({ status: 404, code: 'relay.no-mapping' });
});

test('the page of an offline device says since when it is offline', async () => {
  await using t = await startTestRelay();
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': 9 });
  t.server.put(device);
  const agent = await t.connectDevice(device, key);
  agent.kill();
  await t.server.waitFor('presence', (message) => message.events.some((event) => !event.online));
  const page = chinese(await fetchPage(t.relay.httpPort, 'nas.localhost'));
  expect(page).toMatch(/^HTTP\/1\.1 503 /);
  expect(page).toMatch(/Retry-After: 15/);
  expect(page).toContain('设备不在线');
  expect(page).toContain('离线时间');
  expect(page).toContain('<meta http-equiv="refresh" content="15">');
  expect(page).toContain('重试');
  expect(page).toContain('/#/errorport?invalidDomain=nas.localhost');
});

describe('the page of an unreachable target does not show its LAN address', () => {
  test.each([
    ['refused', 502, '目标服务拒绝连接', {}],
    ['notFound', 502, '找不到目标主机', {}],
    ['notAllowed', 502, '目标地址不被允许', {}],
    ['tlsFailed', 502, '加密连接失败', {}],
    ['certificateInvalid', 502, '关闭“校验内网证书”', {}],
    ['timeout', 504, '目标服务没有应答', {}],
    // Only this case waits in vain: in the other cases a short timeout could pass before the device's answer.
    ['silent', 504, '目标服务没有应答', { responseHeadTimeoutMs: 60 }],
  ] as const)('%s', async (status, code, title, limits) => {
    await using t = await startTestRelay(limits);
    const key = createAgentKey();
    await t.connectDevice(testDevice(key, { 'nas.localhost': 5000 }), key, { onOpen: () => status });
    const page = chinese(await fetchPage(t.relay.httpPort, 'nas.localhost'));
    expect(page).toMatch(new RegExp(`^HTTP/1\\.1 ${code} `));
    expect(page).toContain(title);
    expect(page).not.toMatch(/127\.0\.0\.1|5000/);
  });
});

test('a mapping that needs a newer agent says so, and opens nothing at the device', async () => {
  await using t = await startTestRelay();
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': 443 }, { kind: 'https', verifyTls: true });
  const agent = await t.connectDevice(device, key, { features: ['udp'] });
  const page = chinese(await fetchPage(t.relay.httpPort, 'nas.localhost'));
  expect(page).toMatch(/^HTTP\/1\.1 502 /);
  expect(page).toContain('请升级设备上的客户端');
  expect(agent.opened).toEqual([]);
});

test('the page of a target that speaks another protocol differs from that of an unreachable one', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((request) => request.socket.end('SSH-2.0-OpenSSH\r\n\r\n'));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  expect(chinese(await fetchPage(t.relay.httpPort, 'nas.localhost'))).toContain('应答无法识别');
});

test('a disabled mapping and a disabled device let nothing through', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('secret'));
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': lan.port });
  await t.connectDevice({ ...device, routes: device.routes.map((route) => ({ ...route, enabled: false })) }, key);
  expect(chinese(await fetchPage(t.relay.httpPort, 'nas.localhost'))).toMatch(/^HTTP\/1\.1 403 [^]*该地址已停用/);
  t.server.put({ ...device, enabled: false });
  await expect
    .poll(async () => chinese(await fetchPage(t.relay.httpPort, 'nas.localhost')))
    .toMatch(/^HTTP\/1\.1 403 [^]*设备已停用/);
});

test('a mapping outside its opening times shows its times to every visitor', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('secret'));
  const key = createAgentKey();
  const device = testDevice(key, { 'nas.localhost': lan.port });
  await t.connectDevice(device, key);
  // Neither yesterday, today nor tomorrow in Beijing.
  const today = ((Math.floor((Date.now() + 8 * 3_600_000) / 86_400_000) + 3) % 7) + 1;
  const cases: ReadonlyArray<[Partial<Route>, string, string]> = [
    [{ opensAtMs: Date.now() + 86_400_000 }, '尚未到开放时间', '开放时间'],
    [{ closesAtMs: Date.now() - 1 }, '已过开放时间', '关闭时间'],
    [{ hours: { days: [((today + 2) % 7) + 1], fromMinute: 60, toMinute: 61 } }, '现在不在开放时段', '开放时段'],
  ];
  for (const [times, title, fact] of cases) {
    t.server.put({ ...device, routes: device.routes.map((route) => ({ ...route, ...times })) });
    await expect
      .poll(async () => chinese(await fetchPage(t.relay.httpPort, 'nas.localhost')))
      .toMatch(new RegExp(`^HTTP/1\\.1 403 [^]*${title}[^]*${fact}[^]*北京时间`));
  }
  expect(chinese(await fetchPage(t.relay.httpPort, 'nas.localhost', 'Accept: application/json\r\n'))).toContain(
    '"code":"relay.outside-hours"',
  );
});

test('the relay answers a request with Max-Forwards: 0 itself', async () => {
  await using t = await startTestRelay();
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('OPTIONS /api/ HTTP/1.1\r\nHost: localhost\r\nMax-Forwards: 0\r\n\r\n');
  expect(await visitor.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Content-Length: 0\r\n/);
  visitor.clear();
  visitor.send('OPTIONS /api/ HTTP/1.1\r\nHost: localhost\r\nMax-Forwards: 1\r\n\r\n');
  expect(await visitor.until(/console:/)).toContain('"max-forwards":"0"');
});

test('only the relay answers below /.tongtu/, and nobody answers below the console’s /internal/', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('device'));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  for (const [host, path] of [
    ['nas.localhost', '/.tongtu/anything'],
    ['nas.localhost', '/%2etongtu/verify?ticket=x'],
    ['localhost', '/internal/relay-control/'],
    ['localhost', '/%69nternal/relay-control/'],
    ['localhost', '/.tongtu/verify'],
  ]) {
    visitor.clear();
    visitor.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(await visitor.until(/\r\n\r\n[^]+\n$/)).toMatch(/^HTTP\/1\.1 404 /);
  }
  visitor.clear();
  visitor.send('GET /internal/x HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  expect(await visitor.until(/device$/)).toMatch(/^HTTP\/1\.1 200 /);
});

describe('a malformed request is refused and ends the connection, whatever follows it', () => {
  const follower = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n';
  test.each([
    [
      'both lengths',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n'],
    ['a folded coding', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n'],
    ['a blank before the colon', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['an unknown coding', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['bare LF', 'GET / HTTP/1.1\nHost: localhost\n\n'],
    ['a bad chunk', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1 \r\na\r\n0\r\n\r\n'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: nas.localhost\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['TLS on the plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('%s', async (_what, bytes) => {
    await using t = await startTestRelay();
    await using visitor = openRawClient(t.relay.httpPort);
    visitor.send(bytes + follower);
    const text = await visitor.untilEnd();
    expect(text).toMatch(/^HTTP\/1\.1 (400|501) [^]*\r\nConnection: close\r\n/);
    expect(text).not.toContain('console:');
  });
});

describe('methods that reach no service', () => {
  const first = (text: string) => text.slice(0, text.indexOf('\r\n\r\n'));

  test('the server refuses TRACE of the console', async () => {
    await using t = await startTestRelay();
    t.server.handlers.page = (request, response) => response.end(`console:${request.method} ${request.url}`);
    await using visitor = openRawClient(t.relay.httpPort);
    visitor.send('TRACE /api/user/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await visitor.untilEnd()).toContain('console:TRACE /api/user/');
  });

  test('TRACE of a mapping is refused with an Allow field, and reaches no device', async () => {
    await using t = await startTestRelay();
    const seen: Array<string | undefined> = [];
    await using lan = await startLanService((request, response) => {
      seen.push(request.method);
      response.end('device');
    });
    const key = createAgentKey();
    await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
    await using visitor = openRawClient(t.relay.httpPort);
    visitor.send('TRACE /x HTTP/1.1\r\nHost: nas.localhost\r\nCookie: a=1\r\n\r\n');
    visitor.send('GET /y HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
    const text = await visitor.until(/device$/);
    expect(first(text)).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n[^]*\r\nAllow: GET, HEAD, POST, /);
    expect(text).not.toContain('a=1');
    expect(seen).toEqual(['GET']);

    await using stream = new Http2Client(t.relay.tlsPort, 'nas.localhost');
    const { status, headers } = await stream.fetch({ ':path': '/x', ':method': 'TRACE' });
    expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: expect.stringMatching(/^GET, /) });
    expect(seen).toEqual(['GET']);
  });

  test.each(['localhost', 'nas.localhost'])('CONNECT to %s is refused, and nothing after it is read', async (host) => {
    await using t = await startTestRelay();
    await using visitor = openRawClient(t.relay.httpPort);
    visitor.send(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const text = await visitor.untilEnd();
    expect(first(text)).toMatch(/^HTTP\/1\.1 405 [^]*\r\nAllow: GET, [^]*\r\nConnection: close/);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test('a Host with an impossible port gets 400', async () => {
    await using t = await startTestRelay();
    await using visitor = openRawClient(t.relay.httpPort);
    visitor.send('GET /api/agent/bootstrap/ HTTP/1.1\r\nHost: localhost:99999\r\n\r\n');
    expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 400 /);
    await using stream = new Http2Client(t.relay.tlsPort, 'localhost:99999', { servername: 'localhost' });
    expect(await stream.fetch({ ':path': '/api/agent/bootstrap/' })).toMatchObject({ status: 400 });
  });
});

test('a head that is too long gets 431', async () => {
  await using t = await startTestRelay();
  await using long = openRawClient(t.relay.httpPort);
  long.send(`GET / HTTP/1.1\r\nHost: localhost\r\nCookie: ${'x'.repeat(40_000)}\r\n\r\n`);
  expect(await long.untilEnd()).toMatch(/^HTTP\/1\.1 431 /);
});

test('a head that never ends is cut off', async () => {
  await using t = await startTestRelay({ headTimeoutMs: 60 });
  await using half = openRawClient(t.relay.httpPort);
  half.send('GET / HTTP/1.1\r\nHost: loc');
  expect(await half.untilEnd()).toMatch(/^HTTP\/1\.1 408 /);
});

test('an idle connection is closed without an answer', async () => {
  await using t = await startTestRelay({ keepAliveIdleMs: 60 });
  await using visitor = openRawClient(t.relay.httpPort);
  expect(await visitor.untilEnd()).toBe('');
});

test('one address cannot use all connections', async () => {
  await using t = await startTestRelay({ maxConnectionsPerVisitorIp: 2 });
  await using first = openRawClient(t.relay.httpPort);
  await using second = openRawClient(t.relay.httpPort);
  for (const visitor of [first, second]) {
    visitor.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await visitor.until(/console:/);
  }
  await using third = openRawClient(t.relay.httpPort);
  third.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await third.untilEnd()).toMatch(/^HTTP\/1\.1 429 /);
});

test('one address cannot use all streams of a device', async () => {
  await using t = await startTestRelay({ maxStreamsPerVisitor: 2, maxWaitingPerVisitor: 0 });
  const waiting: Array<() => void> = [];
  await using lan = await startLanService((request, response) => {
    if (request.url === '/wait') waiting.push(() => response.end('done'));
    else response.end('at once');
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using first = openRawClient(t.relay.httpPort);
  await using second = openRawClient(t.relay.httpPort);
  for (const visitor of [first, second]) visitor.send('GET /wait HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  await expect.poll(() => waiting.length).toBe(2);
  await using third = openRawClient(t.relay.httpPort);
  third.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  expect(await third.until(/\r\n\r\n./)).toMatch(/^HTTP\/1\.1 429 /);
  await using other = new RawClient(
    connectTcp({ port: t.relay.httpPort, host: '127.0.0.1', localAddress: '127.0.0.2' }),
  );
  other.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  expect(await other.until(/at once/)).toMatch(/^HTTP\/1\.1 200 /);
  waiting[0]?.();
  await Promise.race([first.until(/done/), second.until(/done/)]);
  third.clear();
  third.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');
  expect(await third.until(/at once/)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a TLS connection for one mapping carries no request for another', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((_request, response) => response.end('device'));
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'a.localhost': lan.port, 'b.localhost': lan.port }), key);
  const socket = connectTls({
    port: t.relay.tlsPort,
    host: '127.0.0.1',
    servername: 'a.localhost',
    rejectUnauthorized: false,
  });
  await using visitor = new RawClient(socket);
  visitor.send('GET / HTTP/1.1\r\nHost: a.localhost\r\n\r\n');
  await visitor.until(/device$/);
  visitor.clear();
  visitor.send('GET / HTTP/1.1\r\nHost: b.localhost\r\nConnection: close\r\n\r\n');
  expect(await visitor.untilEnd()).toMatch(/^HTTP\/1\.1 421 /);
});

test('the console gets the visitor’s address and scheme', async () => {
  await using t = await startTestRelay();
  await using visitor = new RawClient(
    connectTls({ port: t.relay.tlsPort, host: '127.0.0.1', rejectUnauthorized: false }),
  );
  visitor.send('GET /api/ HTTP/1.1\r\nHost: localhost:8443\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n');
  const seen = /x-seen: (.*)\r\n/.exec(await visitor.until(/console:/))?.[1] ?? '';
  expect(JSON.parse(seen)).toMatchObject({
    host: 'localhost:8443',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'localhost:8443',
  });
});

test('a mapping that leads back to the relay ends in a page, not in a loop', async () => {
  await using t = await startTestRelay();
  const key = createAgentKey();
  const agent = await t.connectDevice(testDevice(key, { 'loop.localhost': t.relay.httpPort }), key);
  expect(chinese(await fetchPage(t.relay.httpPort, 'loop.localhost'))).toMatch(/^HTTP\/1\.1 508 [^]*映射指回了自身/);
  expect(agent.opened).toHaveLength(1);
});

test('a request that came through other proxies is forwarded', async () => {
  await using t = await startTestRelay();
  await using lan = await startLanService((request, response) =>
    response.end(`via ${String(request.headers['cdn-loop'])}`),
  );
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  await using visitor = openRawClient(t.relay.httpPort);
  visitor.send('GET / HTTP/1.1\r\nHost: nas.localhost\r\nCDN-Loop: tongtu-0000, a.example; v=1\r\n\r\n');
  expect(await visitor.until(/via .*[0-9a-f]{16}/)).toMatch(/via tongtu-0000, a\.example; v=1, tongtu-[0-9a-f]{16}$/);
});

test('while the console is away visitors get a page', async () => {
  await using t = await startTestRelay();
  await t.server[Symbol.asyncDispose]();
  expect(chinese(await fetchPage(t.relay.httpPort, 'localhost'))).toMatch(/^HTTP\/1\.1 503 [^]*控制台暂时不可用/);
});
