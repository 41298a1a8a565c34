import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { freePort } from '@tongtu/base/testing/free-port';
import type { DeviceRoutes, Route } from '@tongtu/contract';
import type { FrpFields, Wire } from '@tongtu/frp';
import { expect, test } from 'vitest';
import { RawClient } from '../testing/clients/raw-client.ts';
import { type FrpcHouse, openFrpcHouse } from '../testing/frpc-house.ts';
import { openUdpPeer, startTcpService, visitPort } from '../testing/port-services.ts';
import { createAgentKey, startLanService, testDevice } from '../testing/start-test-relay.ts';
import { testCertificate } from '../testing/test-certificate.ts';

const user = 'tt-0123456789.office';

/** A server that makes a device of the login, and the given routes of the proxies. */
async function openTomlHouse(routes: Record<string, Partial<Route>>): Promise<FrpcHouse & { device: DeviceRoutes }> {
  const house = await openFrpcHouse({});
  const { frpcToken: token = '', ...rest } = house.device;
  const device: DeviceRoutes = {
    ...rest,
    deviceId: 77,
    uid: 'c'.repeat(12),
    frpcToken: token,
    frpcLogin: user,
    routes: [],
  };
  let current = device;
  house.t.server.handlers.frpcLogin = (login) => (login.user === user ? current : 'frpc.login-unknown');
  house.t.server.handlers.frpcProxy = ({ proxy }) => {
    const given = routes[proxy.name];
    if (given === undefined) return 'mapping.prefix-taken';
    const { host = '' } = given;
    const [route] = testDevice(createAgentKey(), { [host]: 1 }, { ...given, frpcProxy: proxy.name }).routes;
    current = { ...current, routes: [...current.routes.filter(({ frpcProxy }) => frpcProxy !== proxy.name), route!] };
    return current;
  };
  return { ...house, device };
}

function proxy(name: string, type: string, more: Partial<FrpFields<'NewProxy'>> = {}): FrpFields<'NewProxy'> {
  return { proxy_name: `${user}.${name}`, proxy_type: type, ...more };
}

test.each<Wire>(['v1', 'v2'])('pages, ports and UDP of a frpc.toml are reached (wire %s)', async (wire) => {
  await using lan = await startLanService((request, response) => response.end(`hello ${request.headers.host}`));
  const secure = createTlsServer(testCertificate, (_request, response) => response.end('secret')).listen(
    0,
    '127.0.0.1',
  );
  await once(secure, 'listening');
  await using ssh = await startTcpService((socket) => socket.write('SSH-2.0-x\r\n'));
  const [sshPort, udpPort] = [await freePort(), await freePort()];
  await using house = await openTomlHouse({
    web: { host: 'web.example.test' },
    tls: { host: 'tls.example.test', kind: 'https' },
    ssh: { kind: 'tcp', port: sshPort },
    udp: { kind: 'udp', port: udpPort },
  });
  await using frpc = house.dial({
    ...{ wire, user, hostName: 'openwrt' },
    proxies: [
      proxy('web', 'http', { custom_domains: ['web.example.test'], use_encryption: true }),
      proxy('tls', 'https', { subdomain: 'tls' }),
      proxy('ssh', 'tcp', { remote_port: sshPort, use_compression: true }),
      proxy('udp', 'udp', { remote_port: udpPort, use_encryption: true, use_compression: true }),
    ],
    localPorts: {
      [`${user}.web`]: lan.port,
      [`${user}.tls`]: (secure.address() as AddressInfo).port, // it listens on TCP
      [`${user}.ssh`]: ssh.port,
    },
  });
  const answerOf = async (name: string) =>
    await frpc.waitFor('NewProxyResp', ({ proxy_name: full }) => full === `${user}.${name}`);
  expect(await answerOf('udp')).toMatchObject({ error: '', remote_addr: `:${udpPort}` });
  expect((await answerOf('web')).remote_addr).toBe('web.example.test');
  expect(await house.t.server.waitFor('frpc_login')).toMatchObject({ user, hostName: 'openwrt' });

  expect(await house.get('web.example.test')).toEqual({ status: 200, text: 'hello web.example.test' });
  expect(await house.get('tls.example.test')).toEqual({ status: 200, text: 'secret' });
  await using visitor = new RawClient(await visitPort(sshPort));
  expect(await visitor.until(/\n/)).toBe('SSH-2.0-x\r\n');
  await using one = await openUdpPeer();
  await using two = await openUdpPeer();
  // The port may open a moment later.
  const asking = setInterval(() => {
    one.socket.send('one', udpPort, '127.0.0.1');
    two.socket.send('two', udpPort, '127.0.0.1');
  }, 20);
  await Promise.all([one.waitFor(1), two.waitFor(1)]);
  clearInterval(asking);
  expect([one.received[0], two.received[0]]).toEqual(['echo one', 'echo two']);
  expect(frpc.mux.streamCount).toBeLessThan(20);
  const mappingId = house.t.server.devices.get(77)?.routes.find((route) => route.frpcProxy === 'ssh')?.mappingId ?? 0;
  house.t.server.send({ type: 'probe', correlation: 1, deviceId: 77, mappingId });
  expect((await house.t.server.waitFor('probe_result')).result).toMatchObject({ ok: true, seen: 'connected' });
  secure.closeAllConnections();
  secure.close();
});

test('proxies that are refused say why in the log of frpc, and the others work', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openTomlHouse({ web: { host: 'web.example.test' } });
  const refused = [
    ...['tcpmux', 'sudp', 'xtcp', 'unheard-of'].map((kind) => proxy(kind, kind)),
    proxy('password', 'http', { http_user: 'a' }),
    proxy('part', 'http', { locations: ['/', '/photos'] }),
    proxy('group', 'tcp', { group: 'g' }),
    proxy('taken', 'http', { subdomain: 'taken' }),
    { proxy_name: 'other.web', proxy_type: 'http' },
  ];
  await using frpc = house.dial({
    user,
    proxies: [...refused, proxy('web', 'http', { locations: ['/'] })],
    localPorts: { [`${user}.web`]: lan.port },
  });
  for (const { proxy_name: name } of refused) {
    const { error } = await frpc.waitFor('NewProxyResp', (answer) => answer.proxy_name === name);
    expect(error, name).toMatch(/[\u4e00-\u9fff].* \/ [A-Za-z]/);
  }
  await frpc.waitFor('NewProxyResp', ({ error }) => error === '');
  expect((await house.get('web.example.test')).status).toBe(200);
});

test('a user, a token and a second frpc are refused with what to do', async () => {
  await using house = await openTomlHouse({ web: { host: 'web.example.test' } });
  const refusalOf = async (changed: { user: string; token?: string }) => {
    await using frpc = house.dial({ proxies: [], ...changed });
    return (await frpc.waitFor('LoginResp')).error;
  };
  expect(await refusalOf({ user: 'tt-9999999999' })).toMatch(/没有这个 frpc 用户名.*no such user/);
  house.t.server.handlers.frpcLogin = () => 'request.too-many';
  expect(await refusalOf({ user })).toMatch(/正在启动.*starting/);
  house.t.server.handlers.frpcLogin = () => house.device;
  await using first = house.dial({ user, proxies: [proxy('web', 'http', { subdomain: 'web' })] });
  await first.waitFor('NewProxyResp');
  expect(await refusalOf({ user, token: 'wrong' })).toMatch(/令牌（token）不正确/);
  await house.t.server.waitFor('presence');
  expect(await refusalOf({ user })).toMatch(/\.office/);
});

test('a proxy that is closed, and a service that is not there, are named by the test of a mapping', async () => {
  await using house = await openTomlHouse({ web: { host: 'web.example.test' } });
  await using frpc = house.dial({
    user,
    proxies: [proxy('web', 'http', { subdomain: 'web' })],
    localPorts: { [`${user}.web`]: await freePort() },
  });
  await frpc.waitFor('NewProxyResp');
  const mappingId = house.t.server.devices.get(77)?.routes[0]?.mappingId ?? 0;
  const probe = async (correlation: number) => {
    house.t.server.send({ type: 'probe', correlation, deviceId: 77, mappingId });
    return (await house.t.server.waitFor('probe_result', (answer) => answer.correlation === correlation)).result;
  };
  expect(await probe(1)).toMatchObject({ ok: false, step: 'agent', seen: 'frpc_not_served' });
  expect((await house.get('web.example.test')).status).toBe(502);
  frpc.send('CloseProxy', { proxy_name: `${user}.web` });
  await frpc.mux.ping();
  expect(await probe(2)).toMatchObject({ ok: false, step: 'agent', seen: 'no_proxy' });
});

test('while the server is away, proxies whose mappings are known work on', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openTomlHouse({ web: { host: 'web.example.test' } });
  const options = {
    user,
    proxies: [proxy('web', 'http', { subdomain: 'web' })],
    localPorts: { [`${user}.web`]: lan.port },
  };
  await using first = house.dial(options);
  await first.waitFor('NewProxyResp');
  const { runId } = first;
  await first[Symbol.asyncDispose]();
  house.t.server.isAway = true;
  house.t.server.dropRelay();
  await house.t.server.relayTurnedAway();

  const more = [...options.proxies, proxy('more', 'http', { subdomain: 'more' })];
  await using second = house.dial({ ...options, proxies: more, runId });
  expect((await second.waitFor('NewProxyResp', ({ error }) => error === '')).remote_addr).toBe('web.example.test');
  expect((await second.waitFor('NewProxyResp', ({ error }) => error !== '')).error).toMatch(/正在启动/);
  expect((await house.get('web.example.test')).status).toBe(200);
});
