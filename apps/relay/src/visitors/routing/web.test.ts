import { setDefaultCACertificates } from 'node:tls';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createConsoleHostTest } from '../../routes/console-host.ts';
import { makeAuthority, makeCertificate } from '../../testing/make-certificate.ts';
import { openRawClient, RawClient } from '../../testing/clients/raw-client.ts';
import {
  createAgentKey,
  startLanService,
  startTestRelay,
  testDevice,
  type TestRelay,
} from '../../testing/start-test-relay.ts';
import { tlsVisit, untilShown } from '../../testing/clients/tls-visit.ts';
import { type SecuredAnswer, strictTransport, type StrictTransportDeps } from './strict-transport.ts';
import type { WebRules } from '../../config/web-rules.ts';

const startWith = (web: Partial<WebRules>) => startTestRelay({}, pino({ level: 'silent' }), { web });

/** A relay with one public mapping, `nas.example`, whose service answers with the path and what it got. */
async function startWithMapping(t: TestRelay, route: Parameters<typeof testDevice>[2] = {}, headers = {}) {
  const lan = await startLanService((request, response) => {
    response.writeHead(200, headers);
    response.end(`lan ${request.method} ${request.url}`);
  });
  const key = createAgentKey();
  await t.connectDevice(testDevice(key, { 'nas.example': lan.port }, route), key);
  return lan;
}

/** The whole answer to one request over plain http. */
async function ask(port: number, requestLine: string, host: string, rest = '\r\n'): Promise<string> {
  await using visitor = openRawClient(port);
  visitor.send(`${requestLine} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${rest}`);
  return await visitor.untilEnd();
}

async function askOverTls(port: number, path: string, host: string): Promise<string> {
  await using visitor = new RawClient(await tlsVisit(port, host));
  visitor.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return await visitor.untilEnd();
}

const locationOf = (answer: string) => /^location: (.*)\r$/im.exec(answer)?.[1];

test('plain http is redirected to https with method, path and query, and nothing reaches the service', async () => {
  await using t = await startWith({ redirectsToHttps: true });
  await using _lan = await startWithMapping(t);
  const answer = await ask(t.relay.httpPort, 'POST /a?b=c', 'nas.example:8080', 'Content-Length: 2\r\n\r\nhi');
  expect(answer).toMatch(/^HTTP\/1\.1 308 Permanent Redirect\r\n/);
  expect(locationOf(answer)).toBe(`https://nas.example:${t.relay.tlsPort}/a?b=c`);
  expect(answer).not.toContain('lan');
});

test.each([
  [443, 'https://nas.example/'],
  [8443, 'https://nas.example:8443/'],
])('the redirect to https leads to the public port, here %i', async (publicTlsPort, location) => {
  await using t = await startWith({ redirectsToHttps: true, publicTlsPort });
  expect(locationOf(await ask(t.relay.httpPort, 'GET /', 'nas.example'))).toBe(location);
});

test('addresses and localhost stay on http, and so does every host without the setting', async () => {
  await using t = await startWith({ redirectsToHttps: true });
  for (const host of ['127.0.0.1', '[::1]', 'localhost', 'nas.localhost']) {
    expect(await ask(t.relay.httpPort, 'GET /', host)).not.toMatch(/^HTTP\/1\.1 308 /);
  }
  await using plain = await startWith({});
  await using _lan = await startWithMapping(plain);
  expect(await ask(plain.relay.httpPort, 'GET /a', 'nas.example')).toContain('lan GET /a');
});

test('a request over https is not redirected', async () => {
  await using t = await startWith({ redirectsToHttps: true });
  await using _lan = await startWithMapping(t);
  expect(await askOverTls(t.relay.tlsPort, '/a', 'nas.example')).toContain('lan GET /a');
});

test('an ACME challenge is answered on all own hosts, before redirect and gate; other tokens and hosts are not', async () => {
  await using t = await startWith({ redirectsToHttps: true });
  await using _lan = await startWithMapping(t, { policy: 'owner' });
  const [names, pair] = [['marker.example'], await makeCertificate({ subject: 'marker', names: ['marker.example'] })];
  const ticketKeys = Buffer.alloc(48).toString('base64url');
  const answers = [{ token: 'tok-En_1', keyAuthorization: 'tok-En_1.print' }];
  t.server.send({ type: 'edge', edge: { challenges: answers, ticketKeys } });
  t.server.send({ type: 'certificates', certificates: [{ id: 1, names, ...pair }] });
  await untilShown(t.relay.tlsPort, 'marker.example', 'marker');
  const challenge = (token: string, host: string) =>
    ask(t.relay.httpPort, `GET /.well-known/acme-challenge/${token}`, host);
  for (const host of ['nas.example', 'localhost']) {
    expect(await challenge('tok-En_1', host)).toMatch(
      /^HTTP\/1\.1 200 OK\r\nContent-Type: text\/plain[^]*\r\n\r\ntok-En_1\.print$/,
    );
  }
  // To the service behind the gate, to the console, and to an unknown host.
  expect(await challenge('other', 'nas.example')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await challenge('other', 'localhost')).toContain('console:/.well-known/acme-challenge/other');
  expect(await challenge('tok-En_1', 'foreign.example')).toMatch(/^HTTP\/1\.1 404 /);

  t.server.send({ type: 'edge', edge: { challenges: [], ticketKeys } });
  t.server.send({ type: 'certificates_kept', ids: [] });
  await untilShown(t.relay.tlsPort, 'marker.example', 'localhost');
  expect(await challenge('tok-En_1', 'nas.example')).toMatch(/^HTTP\/1\.1 403 /);
});

test('a device gets the ACME challenges that are not the relay’s', async () => {
  await using t = await startWith({});
  await using _lan = await startWithMapping(t);
  const answer = await ask(t.relay.httpPort, 'GET /.well-known/acme-challenge/own', 'nas.example');
  expect(answer).toContain('lan GET /.well-known/acme-challenge/own');
});

const hstsOf = (answer: string) => /^strict-transport-security: (.*)\r$/im.exec(answer)?.[1];

test('the console and the relay’s pages send HSTS, answers of devices only where the setting asks for it', async () => {
  await using t = await startWith({ hstsSeconds: 600, ownDomains: ['example'] });
  await using _lan = await startWithMapping(t);
  expect(hstsOf(await askOverTls(t.relay.tlsPort, '/', 'unknown.example'))).toBe('max-age=600');
  expect(hstsOf(await ask(t.relay.httpPort, 'GET /', 'unknown.example'))).toBeUndefined();
  expect(hstsOf(await askOverTls(t.relay.tlsPort, '/', 'nas.example'))).toBeUndefined();

  await using all = await startWith({ hstsSeconds: 600, hstsScope: 'all' });
  await using _other = await startWithMapping(all);
  expect(hstsOf(await askOverTls(all.relay.tlsPort, '/', 'nas.example'))).toBe('max-age=600');
});

test('a service’s own HSTS field stays', async () => {
  await using t = await startWith({ hstsSeconds: 600, hstsScope: 'all' });
  await using _lan = await startWithMapping(t, {}, { 'Strict-Transport-Security': 'max-age=1' });
  const answer = await askOverTls(t.relay.tlsPort, '/', 'nas.example');
  expect(answer.match(/strict-transport-security/gi)).toHaveLength(1);
  expect(hstsOf(answer)).toBe('max-age=1');
});

test.each([
  ['the console', { host: 'console.test', isTenant: false }, 'relay', 'max-age=600'],
  ['a page below the own domain', { host: 'nas.own.test', isTenant: false }, 'relay', 'max-age=600'],
  ['a page of a custom domain', { host: 'custom.test', isTenant: false }, 'relay', undefined],
  ['a page of a domain that only ends alike', { host: 'evilown.test', isTenant: false }, 'relay', undefined],
  ['a device below the own domain', { host: 'nas.own.test', isTenant: true }, 'relay', undefined],
  ['a device at a custom domain, asked for', { host: 'custom.test', isTenant: true }, 'all', 'max-age=600'],
  ['localhost', { host: 'localhost', isTenant: false }, 'all', undefined],
  ['an address', { host: '192.0.2.1', isTenant: false }, 'all', undefined],
  ['an IPv6 address', { host: '2001:db8::1', isTenant: false }, 'all', undefined],
] as const)('%s sends HSTS only where https is certain', (_what, answer, hstsScope, expected) => {
  const asked = { rules: { hstsSeconds: 600, hstsScope, ownDomains: ['own.test'] }, ...trusted };
  expect(strictTransport(asked, { ...answer, endsTls: true, scheme: 'https' })).toBe(expected);
  expect(strictTransport(asked, { ...answer, endsTls: true, scheme: 'http' })).toBeUndefined();
});

const trusted = {
  isConsoleHost: (host: string) => ['console.test', 'localhost', '192.0.2.1'].includes(host),
  tlsPort: () => 443,
  trustedUntilMs: () => 90_000_000,
  wallClockMs: () => 10_000_000,
};
const ofConsole = { host: 'console.test', scheme: 'https', isTenant: false, endsTls: true } as const;

test.each<[string, Partial<SecuredAnswer>, Partial<StrictTransportDeps>, string | undefined]>([
  ['the console', {}, {}, 'max-age=80000'],
  ['a certificate of many years', {}, { trustedUntilMs: () => 1e12 }, 'max-age=15552000'],
  ['a certificate that browsers do not trust', {}, { trustedUntilMs: () => 0 }, undefined],
  ['a certificate that has ended', {}, { trustedUntilMs: () => 9_000_000 }, undefined],
  ['another port than 443', {}, { tlsPort: () => 8443 }, undefined],
  ['plain http', { scheme: 'http' }, {}, undefined],
  ['TLS of a proxy', { endsTls: false }, {}, undefined],
  ['a page below the own domain', { host: 'nas.own.test' }, {}, undefined],
  ['a device', { host: 'nas.own.test', isTenant: true }, {}, undefined],
  ['localhost', { host: 'localhost' }, {}, undefined],
  ['an address', { host: '192.0.2.1' }, {}, undefined],
])('by default only the console sends HSTS, as long as its certificate lasts: %s', (_what, answer, deps, expected) => {
  const rules = { hstsSeconds: 'auto', hstsScope: 'all', ownDomains: ['own.test'] } as const;
  expect(strictTransport({ rules, ...trusted, ...deps }, { ...ofConsole, ...answer })).toBe(expected);
});

test('switched off, the console has browsers forget HSTS, but not behind a proxy, which may send its own', () => {
  const off = { rules: { hstsSeconds: 0, hstsScope: 'all', ownDomains: ['own.test'] }, ...trusted } as const;
  expect(strictTransport(off, ofConsole)).toBe('max-age=0');
  expect(strictTransport(off, { ...ofConsole, endsTls: false })).toBeUndefined();
  expect(strictTransport(off, { ...ofConsole, host: 'nas.own.test', isTenant: true })).toBeUndefined();
});

test('a console with a certificate of a known authority sends HSTS by default, one with a self-signed one does not', async () => {
  const root = await makeAuthority('Root of tests');
  setDefaultCACertificates([root.cert]);
  const issuer = await makeAuthority('Issuer of tests', root);
  const { key, cert } = await makeCertificate({ names: ['console.test'], issuer });
  const isConsoleHost = createConsoleHostTest(['console.test', 'other.test']);
  const web = { publicTlsPort: 443 };
  await using t = await startTestRelay({}, pino({ level: 'silent' }), { web, isConsoleHost });
  const certificate = { id: 1, names: ['console.test'], key, cert: cert + issuer.cert };
  const own = { id: 2, names: ['other.test'], ...(await makeCertificate({ names: ['other.test'] })) };
  t.server.send({ type: 'certificates', certificates: [certificate, own] });
  await untilShown(t.relay.tlsPort, 'console.test', 'console.test');
  const seconds = Number(
    /^max-age=(\d+)$/.exec(hstsOf(await askOverTls(t.relay.tlsPort, '/', 'console.test')) ?? '')?.[1],
  );
  expect(seconds).toBeGreaterThan(80_000); // it lasts a day
  expect(seconds).toBeLessThanOrEqual(86_400);
  expect(hstsOf(await askOverTls(t.relay.tlsPort, '/', 'other.test'))).toBeUndefined();
});
