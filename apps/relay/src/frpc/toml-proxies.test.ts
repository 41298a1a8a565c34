import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { freePort } from '@tongtu/base/testing/free-port';
import type { Wire } from '@tongtu/frp';
import { expect, test } from 'vitest';
import { RawClient } from '../testing/clients/raw-client.ts';
import { openUdpPeer, startTcpService, visitPort } from '../testing/port-services.ts';
import { startLanService } from '../testing/start-test-relay.ts';
import { testCertificate } from '../testing/test-certificate.ts';
import { openTomlHouse, tomlDeviceId, tomlProxy, tomlUser } from '../testing/toml-house.ts';

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
    ...{ wire, user: tomlUser, hostName: 'openwrt' },
    proxies: [
      tomlProxy('web', 'http', { custom_domains: ['web.example.test'], use_encryption: true }),
      tomlProxy('tls', 'https', { subdomain: 'tls' }),
      tomlProxy('ssh', 'tcp', { remote_port: sshPort, use_compression: true }),
      tomlProxy('udp', 'udp', { remote_port: udpPort, use_encryption: true, use_compression: true }),
    ],
    localPorts: {
      [`${tomlUser}.web`]: lan.port,
      [`${tomlUser}.tls`]: (secure.address() as AddressInfo).port, // it listens on TCP
      [`${tomlUser}.ssh`]: ssh.port,
    },
  });
  const answerOf = async (name: string) =>
    await frpc.waitFor('NewProxyResp', ({ proxy_name: full }) => full === `${tomlUser}.${name}`);
  expect(await answerOf('udp')).toMatchObject({ error: '', remote_addr: `:${udpPort}` });
  expect((await answerOf('web')).remote_addr).toBe('web.example.test');
  expect(await house.t.server.waitFor('frpc_login')).toMatchObject({ user: tomlUser, hostName: 'openwrt' });

  expect(await house.get('web.example.test')).toEqual({ status: 200, text: 'hello web.example.test' });
  expect(await house.get('tls.example.test')).toEqual({ status: 200, text: 'secret' });
  await using visitor = new RawClient(await visitPort(sshPort));
  expect(await visitor.until(/\n/)).toBe('SSH-2.0-x\r\n');
  // For `proxyProtocolVersion`, of which frpc does not speak.
  const startOf = (name: string) => frpc.starts.find(({ proxy_name: full }) => full === `${tomlUser}.${name}`);
  const visitorEnds = { src_addr: '127.0.0.1', src_port: visitor.socket.localPort };
  expect(startOf('ssh')).toMatchObject({ ...visitorEnds, dst_addr: '127.0.0.1', dst_port: sshPort });
  expect(startOf('web')).toMatchObject({ src_addr: '127.0.0.1', dst_port: house.t.relay.httpPort });
  expect(startOf('web')?.src_port).toBeGreaterThan(0);
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
  const senders = frpc.datagrams.map(({ r }) => [r?.IP, r?.Port]);
  expect(senders).toContainEqual(['127.0.0.1', two.socket.address().port]);
  expect(frpc.mux.streamCount).toBeLessThan(20);
  const mappingId =
    house.t.server.devices.get(tomlDeviceId)?.routes.find((route) => route.frpcProxy === 'ssh')?.mappingId ?? 0;
  house.t.server.send({ type: 'probe', correlation: 1, deviceId: tomlDeviceId, mappingId });
  expect((await house.t.server.waitFor('probe_result')).result).toMatchObject({ ok: true, seen: 'connected' });
  secure.closeAllConnections();
  secure.close();
});

test('proxies that are refused say why in the log of frpc, and the others work', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openTomlHouse({ web: { host: 'web.example.test' } });
  const refused = [
    ...['tcpmux', 'sudp', 'xtcp', 'unheard-of'].map((kind) => tomlProxy(kind, kind)),
    tomlProxy('group', 'udp', { group: 'g' }),
    tomlProxy('host', 'http', { headers: { Host: 'nas.lan' } }),
    tomlProxy('forwarded', 'http', { headers: { X_Forwarded_For: '192.0.2.1' } }),
    tomlProxy('line', 'http', { headers: { 'X-A': 'a\r\nB: c' } }),
    tomlProxy('length', 'http', { response_headers: { 'Content-Length': '1' } }),
    tomlProxy('many', 'http', { custom_domains: Array.from({ length: 65 }, (_, index) => `${index}.example.test`) }),
    tomlProxy('wide', 'https', { custom_domains: [`${'a'.repeat(600)}.example.test`] }),
    tomlProxy('long', 'http', { locations: ['/'.repeat(600)] }),
    tomlProxy('users', 'stcp', { sk: 'k', allow_users: ['tt-9999999999.else'] }),
    tomlProxy('taken', 'http', { subdomain: 'taken' }),
    { proxy_name: 'other.web', proxy_type: 'http' },
  ];
  await using frpc = house.dial({
    user: tomlUser,
    proxies: [...refused, tomlProxy('web', 'http', { locations: ['/'] })],
    localPorts: { [`${tomlUser}.web`]: lan.port },
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
  expect(await refusalOf({ user: tomlUser })).toMatch(/正在启动.*starting/);
  house.t.server.handlers.frpcLogin = () => house.device;
  await using first = house.dial({ user: tomlUser, proxies: [tomlProxy('web', 'http', { subdomain: 'web' })] });
  await first.waitFor('NewProxyResp');
  expect(await refusalOf({ user: tomlUser, token: 'wrong' })).toMatch(/令牌（token）不正确/);
  await house.t.server.waitFor('presence');
  expect(await refusalOf({ user: tomlUser })).toMatch(/\.office/);
});

test('a proxy that is closed, and a service that is not there, are named by the test of a mapping', async () => {
  await using house = await openTomlHouse({ web: { host: 'web.example.test' } });
  await using frpc = house.dial({
    user: tomlUser,
    proxies: [tomlProxy('web', 'http', { subdomain: 'web' })],
    localPorts: { [`${tomlUser}.web`]: await freePort() },
  });
  await frpc.waitFor('NewProxyResp');
  const mappingId = house.t.server.devices.get(tomlDeviceId)?.routes[0]?.mappingId ?? 0;
  const probe = async (correlation: number) => {
    house.t.server.send({ type: 'probe', correlation, deviceId: tomlDeviceId, mappingId });
    return (await house.t.server.waitFor('probe_result', (answer) => answer.correlation === correlation)).result;
  };
  expect(await probe(1)).toMatchObject({ ok: false, step: 'agent', seen: 'frpc_not_served' });
  expect((await house.get('web.example.test')).status).toBe(502);
  frpc.send('CloseProxy', { proxy_name: `${tomlUser}.web` });
  await frpc.mux.ping();
  expect(await probe(2)).toMatchObject({ ok: false, step: 'agent', seen: 'no_proxy' });
});

test('while the server is away, proxies whose mappings are known work on', async () => {
  await using lan = await startLanService((_request, response) => response.end('ok'));
  await using house = await openTomlHouse({ web: { host: 'web.example.test' } });
  const options = {
    user: tomlUser,
    proxies: [tomlProxy('web', 'http', { subdomain: 'web' })],
    localPorts: { [`${tomlUser}.web`]: lan.port },
  };
  await using first = house.dial(options);
  await first.waitFor('NewProxyResp');
  const { runId } = first;
  await first[Symbol.asyncDispose]();
  house.t.server.isAway = true;
  house.t.server.dropRelay();
  await house.t.server.relayTurnedAway();

  const more = [...options.proxies, tomlProxy('more', 'http', { subdomain: 'more' })];
  await using second = house.dial({ ...options, proxies: more, runId });
  expect((await second.waitFor('NewProxyResp', ({ error }) => error === '')).remote_addr).toBe('web.example.test');
  expect((await second.waitFor('NewProxyResp', ({ error }) => error !== '')).error).toMatch(/正在启动/);
  expect((await house.get('web.example.test')).status).toBe(200);
});
