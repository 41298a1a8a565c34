import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import { freePort } from '@tongtu/base/testing/free-port';
import type { FrpFields } from '@tongtu/frp';
import type { Route } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { RawClient } from '../testing/clients/raw-client.ts';
import { startTcpService, visitPort } from '../testing/port-services.ts';
import { startLanService, startTestRelay } from '../testing/start-test-relay.ts';
import {
  openTomlHouse,
  type Seen,
  tomlDeviceId,
  type TomlHouse,
  tomlProxy,
  tomlUser,
  visitAt,
} from '../testing/toml-house.ts';

const page = 'web.example.test';

/** A service that answers with its name, the path and the fields that begin with `x-from`, and takes WebSockets. */
async function startNamedService(name: string) {
  const service = await startLanService((request, response) => {
    const { host, authorization = '', 'x-from': from = '' } = request.headers;
    response.setHeader('x-service', name);
    response.end([name, request.url, host, authorization, from].join(' '));
  });
  acceptUpgrades(service.server);
  return service;
}

function acceptUpgrades(server: Server): void {
  server.on('upgrade', (request, socket) => {
    const { 'sec-websocket-key': key = '' } = request.headers;
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    const lines = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`];
    socket.end(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
  });
}

const webSocket = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'a2V5',
  'sec-websocket-version': '13',
};

type Proxies = Record<string, Partial<FrpFields<'NewProxy'>> & { port: number }>;

/** A frpc with these http proxies of one domain, once all are accepted. */
async function connect(house: TomlHouse, proxies: Proxies) {
  const names = Object.entries(proxies);
  const frpc = house.dial({
    user: tomlUser,
    proxies: names.map(([name, { port: _port, ...more }]) =>
      tomlProxy(name, 'http', { custom_domains: [page], ...more }),
    ),
    localPorts: Object.fromEntries(names.map(([name, { port }]) => [`${tomlUser}.${name}`, port])),
  });
  for (const [name] of names) {
    const { error } = await frpc.waitFor('NewProxyResp', ({ proxy_name: full }) => full === `${tomlUser}.${name}`);
    expect(error, name).toBe('');
  }
  return frpc;
}

function visitor(house: TomlHouse) {
  return async (path: string, options: Parameters<typeof visitAt>[2] = {}): Promise<Seen> =>
    await visitAt(house.t.relay.httpPort, page, { path, ...options });
}

test('httpUser and httpPassword are asked of every visitor, in words, and passed on', async () => {
  await using lan = await startNamedService('a');
  await using house = await openTomlHouse({ web: { host: page } });
  await using _frpc = await connect(house, { web: { http_user: 'li', http_pwd: '密码:1', port: lan.port } });
  const visit = visitor(house);
  const refused = await visit('/', { headers: { accept: 'text/html' } });
  expect(refused).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="Restricted", charset="UTF-8"' },
    text: expect.stringContaining('需要用户名和密码'),
  });
  for (const login of ['li:wrong', 'other:密码:1', 'li', ':', 'li:密码:12'])
    expect((await visit('/', { login })).status, login).toBe(401);
  expect((await visit('/', { headers: webSocket })).status).toBe(401);
  expect((await visit('/', { headers: webSocket, login: 'li:密码:1' })).status).toBe(101);
  const seen = await visit('/x?y', { login: 'li:密码:1' });
  expect(seen).toMatchObject({ status: 200, text: expect.stringMatching(/^a \/x\?y web\.example\.test Basic bGk6/) });
});

test('after twenty wrong passwords a network waits, also with the right one', async () => {
  await using lan = await startNamedService('a');
  await using house = await openTomlHouse({ web: { host: page } });
  await using _frpc = await connect(house, { web: { http_user: 'li', http_pwd: 'right', port: lan.port } });
  const visit = visitor(house);
  for (let tries = 0; tries < 20; tries++) expect((await visit('/', { login: 'li:no' })).status).toBe(401);
  expect(await visit('/', { login: 'li:right' })).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
  expect((await visit('/')).status).toBe(401);
});

test('requestHeaders.set and responseHeaders.set replace what visitor and service say', async () => {
  await using lan = await startNamedService('a');
  await using house = await openTomlHouse({ web: { host: page } });
  const headers = { 'X-From': '通途', 'tongtu-other': '1' };
  const answers = { 'X-Service': 'mine', 'Set-Cookie': '__Host-tongtu=x; Path=/', 'Clear-Site-Data': '"cookies"' };
  await using _frpc = await connect(house, {
    web: { headers, response_headers: answers, host_header_rewrite: 'nas.lan:81', port: lan.port },
  });
  const { text, headers: seen } = await visitor(house)('/', { headers: { 'x-from': 'visitor' } });
  const expected = `a / nas.lan:81  ${Buffer.from('通途').toString('latin1')}`;
  expect(text).toBe(expected);
  const removing = { 'x-from': 'visitor', connection: 'x-from' };
  expect((await visitor(house)('/', { headers: removing })).text, 'a field that Connection names').toBe(expected);
  expect(seen).toMatchObject({ 'x-service': 'mine' });
  // What a service may not do, its frpc.toml may not either.
  expect(seen['clear-site-data']).toBeUndefined();
});

test.each([
  [{}, { host: 'nas.lan:81', shown: 'nas.lan:81', address: '127.0.0.1', origin: 'http://nas.lan:81' }],
  [
    { visitorFields: 'omit_address', originFields: 'keep' },
    { host: 'nas.lan:81', shown: 'nas.lan:81', origin: `http://${page}` },
  ],
  [
    { visitorFields: 'omit', originFields: 'rewrite' },
    { host: 'nas.lan:81', origin: 'http://nas.lan:81' },
  ],
] satisfies [Partial<Route>, object][])(
  'the fields follow hostHeaderRewrite and the mapping: %j',
  async (choices, seen) => {
    await using lan = await startLanService(({ headers }, response) => {
      const { host, origin, 'x-forwarded-host': shown, 'x-forwarded-for': address } = headers;
      response.end(JSON.stringify({ host, shown, address, origin }));
    });
    await using house = await openTomlHouse({ web: { host: page, ...choices } });
    await using _frpc = await connect(house, {
      web: { host_header_rewrite: 'nas.lan:81', headers: { 'X-From': 'file' }, port: lan.port },
    });
    const { text } = await visitor(house)('/', { headers: { origin: `http://${page}`, 'x-forwarded-for': '6.6.6.6' } });
    expect(JSON.parse(text)).toEqual(seen);
  },
);

test('proxies of one domain share it by their locations, as at frps', async () => {
  await using root = await startNamedService('root');
  await using api = await startNamedService('api');
  await using house = await openTomlHouse({ one: { host: page }, two: 'one', three: 'one', four: 'one' });
  const frpc = await connect(house, {
    one: { locations: ['/web', '/图'], port: root.port },
    two: { locations: ['/web/api'], http_user: 'li', http_pwd: '1', host_header_rewrite: 'api.lan', port: api.port },
    three: { locations: ['/web'], route_by_http_user: 'wang', port: api.port },
  });
  const visit = visitor(house);
  const served = async (path: string, login?: string) =>
    (await visit(path, login === undefined ? {} : { login })).text.split(' ').slice(0, 3).join(' ');
  expect(await served('/web/x')).toBe(`root /web/x ${page}`);
  expect(await served('/web/apis', 'li:1')).toBe('api /web/apis api.lan');
  expect((await visit('/web/%61pi/')).status).toBe(401);
  expect(await served('/%E5%9B%BE/1.jpg')).toBe(`root /%E5%9B%BE/1.jpg ${page}`);
  expect(await served('/web/x', 'wang:')).toBe(`api /web/x ${page}`);
  expect(await visit('/', { headers: { accept: 'text/html' } })).toMatchObject({
    status: 404,
    text: expect.stringContaining('这个路径没有服务'),
  });

  frpc.send('NewProxy', tomlProxy('four', 'http', { custom_domains: [page], locations: ['/web'] }));
  const { error } = await frpc.waitFor('NewProxyResp', ({ proxy_name: full }) => full === `${tomlUser}.four`);
  expect(error).toMatch(/同样的域名和 locations/);
  frpc.send('CloseProxy', { proxy_name: `${tomlUser}.two` });
  await frpc.mux.ping();
  expect(await served('/web/api')).toBe(`root /web/api ${page}`);
  frpc.send('CloseProxy', { proxy_name: `${tomlUser}.one` });
  await frpc.mux.ping();
  expect((await visit('/web/x')).status).toBe(404);
});

test('proxies of one group take turns, and need the same key', async () => {
  await using first = await startNamedService('first');
  await using second = await startNamedService('second');
  await using house = await openTomlHouse({ 'group:http:g': { host: page }, single: 'group:http:g' });
  const group = { group: 'g', group_key: 'k' };
  const frpc = await connect(house, {
    one: { ...group, port: first.port },
    two: { ...group, port: second.port },
    single: { locations: ['/single'], port: first.port },
  });
  const visit = visitor(house);
  const names = new Set<string>();
  for (let i = 0; i < 2; i++) {
    names.add((await visit('/')).text.split(' ')[0] ?? '');
    await visit('/single');
  }
  expect([...names].toSorted()).toEqual(['first', 'second']);
  for (const [name, other] of Object.entries({ key: { group_key: 'other' }, open: { http_user: 'li' } })) {
    frpc.send('NewProxy', tomlProxy(name, 'http', { custom_domains: [page], ...group, ...other }));
    const { error } = await frpc.waitFor('NewProxyResp', ({ proxy_name: full }) => full === `${tomlUser}.${name}`);
    expect(error).toMatch(/groupKey.*httpUser/);
  }
  frpc.send('CloseProxy', { proxy_name: `${tomlUser}.one` });
  await frpc.mux.ping();
  for (let i = 0; i < 2; i++) expect((await visit('/')).text).toMatch(/^second /);
});

test('the connections to a port of a group take turns', async () => {
  await using first = await startTcpService((socket) => socket.write('first\n'));
  await using second = await startTcpService((socket) => socket.write('second\n'));
  const port = await freePort();
  await using house = await openTomlHouse({ 'group:tcp:ssh': { kind: 'tcp', port } });
  const group = { group: 'ssh', remote_port: port };
  await using frpc = house.dial({
    user: tomlUser,
    proxies: [tomlProxy('one', 'tcp', group), tomlProxy('two', 'tcp', group)],
    localPorts: { [`${tomlUser}.one`]: first.port, [`${tomlUser}.two`]: second.port },
  });
  for (const name of ['one', 'two'])
    expect(await frpc.waitFor('NewProxyResp', ({ proxy_name: full }) => full.endsWith(`.${name}`))).toMatchObject({
      remote_addr: `:${port}`,
    });
  const names: string[] = [];
  for (let i = 0; i < 2; i++) {
    await using visitor = new RawClient(await visitPort(port));
    names.push(await visitor.until(/\n/));
  }
  expect(names.toSorted()).toEqual(['first\n', 'second\n']);
});

test('a proxy that is added anew leads to its new target at once, also at another relay process', async () => {
  await using before = await startNamedService('before');
  await using after = await startNamedService('after');
  await using other = await startTestRelay();
  await using house = await openTomlHouse(
    { web: { host: page }, late: { host: 'late.example.test' } },
    { changes: { frpcPeerPorts: [other.relay.tunnelPort] } },
  );
  const localPorts = { [`${tomlUser}.web`]: before.port };
  const web = tomlProxy('web', 'http', { custom_domains: [page] });
  await using frpc = house.dial({ user: tomlUser, proxies: [web], localPorts });
  await frpc.waitFor('NewProxyResp');
  const device = house.t.server.devices.get(tomlDeviceId);
  if (device !== undefined) other.server.put(device);
  await other.server.waitFor('presence', ({ events }) => events.some(({ online }) => online));
  const visit = async (port: number) => (await visitAt(port, page)).text.split(' ')[0];
  for (const { relay } of [house.t, other]) expect(await visit(relay.httpPort)).toBe('before');

  localPorts[`${tomlUser}.web`] = after.port;
  frpc.send('CloseProxy', web);
  frpc.send('NewProxy', web);
  const isSettled = () => frpc.messages.filter(({ type }) => type === 'NewProxyResp').length === 2;
  while (!isSettled()) await frpc.changed();
  expect(await visit(house.t.relay.httpPort)).toBe('after');
  while ((await visit(other.relay.httpPort)) !== 'after') await frpc.mux.ping();

  // One that ends before the server has answered is not served.
  frpc.send('NewProxy', tomlProxy('late', 'http'));
  frpc.send('CloseProxy', { proxy_name: `${tomlUser}.late` });
  await frpc.waitFor('NewProxyResp', ({ proxy_name: full }) => full === `${tomlUser}.late`);
  expect((await visitAt(house.t.relay.httpPort, 'late.example.test')).status).toBe(502);
});

test('another relay process asks for the same, and knows it before it lets anybody in', async () => {
  await using lan = await startNamedService('a');
  await using other = await startTestRelay();
  await using house = await openTomlHouse(
    { web: { host: page } },
    { changes: { frpcPeerPorts: [other.relay.tunnelPort] } },
  );
  const frpc = await connect(house, { web: { http_user: 'li', http_pwd: '1', port: lan.port } });
  const device = house.t.server.devices.get(tomlDeviceId);
  if (device !== undefined) other.server.put(device);
  await other.server.waitFor('presence', ({ events }) => events.some(({ online }) => online));
  const visit = async (login?: string) =>
    await visitAt(other.relay.httpPort, page, login === undefined ? {} : { login });
  // Until the rules are there, nobody is let in.
  let without = await visit();
  while (without.status === 502) without = await visit();
  expect(without.status).toBe(401);
  expect((await visit('li:1')).text).toMatch(/^a \/ /);
  expect(frpc.starts.at(-1)).toMatchObject({ src_addr: '127.0.0.1', dst_port: other.relay.httpPort });
  expect(frpc.starts.at(-1)?.src_port).toBeGreaterThan(0);
  frpc.send('CloseProxy', { proxy_name: `${tomlUser}.web` });
  frpc.send('NewProxy', tomlProxy('web', 'http', { custom_domains: [page], http_user: 'li', http_pwd: '2' }));
  while ((await visit('li:2')).status !== 200) expect((await visit()).status).not.toBe(200);
});
