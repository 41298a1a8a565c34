import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Route } from '@tongtu/contract';
import { expect, onTestFinished, test } from 'vitest';
import { RawClient } from '../testing/clients/raw-client.ts';
import { tlsVisit } from '../testing/clients/tls-visit.ts';
import { startLanService, startTestRelay, type TestRelay, type TestRelayChanges } from '../testing/start-test-relay.ts';
import { testCertificate } from '../testing/test-certificate.ts';
import { openTomlHouse, tomlDeviceId, tomlProxy, tomlUser, visitAt } from '../testing/toml-house.ts';

/** An http and an https proxy with one domain: `web` and `tls`, whose mapping they share. */

const page = 'both.example.test';
const proxiesOf = (domain: string) => ({
  web: tomlProxy('web', 'http', { custom_domains: [domain] }),
  tls: tomlProxy('tls', 'https', { custom_domains: [domain] }),
});
const challenge = '/.well-known/acme-challenge/of-the-device';

/** A service that answers with the name for which TLS was begun. */
async function startTlsService(): Promise<number> {
  const server = createServer(testCertificate, (request, response) =>
    // An HTTPS server gives TLS sockets.
    response.end(`by TLS for ${String((request.socket as TLSSocket).servername)}`),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port; // it listens on TCP
}

async function openBoth({ host = page, ...route }: Partial<Route>, changes: TestRelayChanges = {}) {
  const lan = await startLanService((request, response) => response.end(`in plain ${request.url}`));
  onTestFinished(() => lan[Symbol.asyncDispose]());
  const mapping = { host, kind: 'https', targetHost: 'name.of.route', targetPort: 443, ...route } as const;
  const house = await openTomlHouse({ tls: mapping, web: 'tls' }, { changes });
  onTestFinished(() => house[Symbol.asyncDispose]());
  const localPorts = { [`${tomlUser}.web`]: lan.port, [`${tomlUser}.tls`]: await startTlsService() };
  const options = { user: tomlUser, proxies: [], localPorts };
  const frpc = house.dial(options);
  const proxies = proxiesOf(host);
  await frpc.waitFor('LoginResp');
  const add = async (...names: (keyof typeof proxies)[]) => {
    for (const name of names) {
      const before = frpc.messages.length;
      frpc.send('NewProxy', proxies[name]);
      while (frpc.messages.length === before) await frpc.changed();
      expect(frpc.messages.at(-1)).toMatchObject({ type: 'NewProxyResp', error: '', remote_addr: host });
    }
  };
  const remove = async (name: keyof typeof proxies) => {
    frpc.send('CloseProxy', { proxy_name: `${tomlUser}.${name}` });
    await frpc.mux.ping();
  };
  const probe = async (correlation: number) => {
    const mappingId = house.t.server.devices.get(tomlDeviceId)?.routes[0]?.mappingId ?? 0;
    house.t.server.send({ type: 'probe', correlation, deviceId: tomlDeviceId, mappingId });
    return (await house.t.server.waitFor('probe_result', (answer) => answer.correlation === correlation)).result;
  };
  return { house, t: house.t, frpc, options, add, remove, probe };
}

/** What a visitor by https sees. Rejects when the handshake fails. */
async function visitByTls({ relay }: Pick<TestRelay, 'relay'>): Promise<string> {
  await using visitor = new RawClient(await tlsVisit(relay.tlsPort, page));
  visitor.send(`GET / HTTP/1.1\r\nHost: ${page}\r\nConnection: close\r\n\r\n`);
  return (await visitor.untilEnd()).split('\r\n').at(-1) || 'an empty answer';
}

const visit = async ({ relay }: Pick<TestRelay, 'relay'>, path = '/') => await visitAt(relay.httpPort, page, { path });

test.each(['web', 'tls'] as const)(
  'of a domain with end-to-end TLS, TLS reaches the https proxy and plain requests the http proxy (first: %s)',
  async (first) => {
    const other = await startTestRelay();
    onTestFinished(() => other[Symbol.asyncDispose]());
    const { house, t, add, remove, probe } = await openBoth(
      { tlsPassthrough: true },
      { frpcPeerPorts: [other.relay.tunnelPort] },
    );
    await add(first, first === 'web' ? 'tls' : 'web');
    expect(await visitByTls(t)).toBe(`by TLS for ${page}`);
    expect(await visit(t, '/x')).toMatchObject({ status: 200, text: 'in plain /x' });

    const device = house.t.server.devices.get(tomlDeviceId);
    if (device !== undefined) other.server.put(device);
    await other.server.waitFor('presence', ({ events }) => events.some(({ online }) => online));
    while ((await visit(other)).status !== 200) await t.server.waitFor('presence');
    expect(await visitByTls(other)).toBe(`by TLS for ${page}`);

    await remove('web');
    expect(await visit(t, '/x')).toMatchObject({
      status: 308,
      headers: { location: `https://${page}:${t.relay.tlsPort}/x` },
    });
    expect(await visitByTls(t)).toBe(`by TLS for ${page}`);
    await add('web');
    await remove('tls');
    expect((await visit(t)).text).toBe('in plain /');
    await expect(visitByTls(t)).rejects.toThrow(/unrecognized name/i);
    expect(await probe(1)).toMatchObject({ ok: false, seen: 'no_proxy' });
  },
);

test('with our certificate, visitors by https reach the https proxy, and the http proxy once that one has left', async () => {
  const { t, add, remove, probe } = await openBoth({});
  await add('web', 'tls');
  expect(await visitByTls(t)).toBe('by TLS for name.of.route');
  expect((await visit(t)).text).toBe('in plain /');
  await remove('tls');
  expect(await visitByTls(t)).toBe('in plain /');
  expect(await probe(1)).toMatchObject({ ok: true, step: 'http', seen: 'status_200' });
});

test('while the server is away, both work on after frpc has logged in again, and no other proxy takes their domain', async () => {
  const { t, house, frpc, options, add } = await openBoth({ tlsPassthrough: true, isOwnDomain: true });
  await add('web', 'tls');
  await frpc[Symbol.asyncDispose]();
  t.server.isAway = true;
  t.server.dropRelay();
  await t.server.relayTurnedAway();
  const other = tomlProxy('other', 'http', { subdomain: 'both', locations: ['/x'] });
  const proxies = Object.values(proxiesOf(page));
  await using again = house.dial({ ...options, proxies, runId: frpc.runId });
  for (const { proxy_name: name } of proxies)
    await again.waitFor('NewProxyResp', (answer) => answer.proxy_name === name && answer.error === '');
  again.send('NewProxy', other);
  await again.waitFor('NewProxyResp', (answer) => answer.proxy_name === other.proxy_name && answer.error !== '');
  expect(await visitByTls(t)).toBe(`by TLS for ${page}`);
  expect((await visit(t)).text).toBe('in plain /');
});

test('where all visitors are redirected to https, the http proxy gets the certificate checks of the device alone', async () => {
  const { t, add } = await openBoth({ tlsPassthrough: true }, { web: { redirectsToHttps: true } });
  await add('web', 'tls');
  expect((await visit(t)).status).toBe(308);
  expect((await visit(t, challenge)).text).toBe(`in plain ${challenge}`);
});

test('with a wildcard, TLS and plain requests reach both under each name that it covers', async () => {
  const { t, add } = await openBoth({ host: '*.example.test', tlsPassthrough: true });
  await add('web', 'tls');
  expect(await visitByTls(t)).toBe(`by TLS for ${page}`);
  expect((await visit(t, '/x')).text).toBe('in plain /x');
  expect((await visitAt(t.relay.httpPort, 'example.test')).status).toBe(404);
});

test('who may not visit the mapping reaches neither', async () => {
  const { t, frpc, add } = await openBoth({ tlsPassthrough: true, policy: 'owner' });
  await add('web', 'tls');
  await expect(visitByTls(t)).rejects.toThrow(/access denied/i);
  expect((await visit(t)).status).toBe(403);
  expect((await visit(t, challenge)).status).toBe(403);
  expect(frpc.starts).toEqual([]);
});
