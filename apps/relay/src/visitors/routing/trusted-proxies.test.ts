import { expect, test } from 'vitest';
import type { Field } from '../../codecs/http/fields.ts';
import { Http2Client } from '../../testing/clients/http2-client.ts';
import { openRawClient } from '../../testing/clients/raw-client.ts';
import { createAgentKey, startLanService, startTestRelay, testDevice } from '../../testing/start-test-relay.ts';
import { TrustedProxies } from './trusted-proxies.ts';

const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48']);
const peer = (address: string) => ({ address, scheme: 'http', serverName: undefined }) as const;
const forwardedFor = (...values: string[]): Field[] =>
  values.map((value) => ({ name: 'X-Forwarded-For', key: 'x-forwarded-for', value }));

test.each([
  ['one visitor', ['198.51.100.7'], '198.51.100.7'],
  ['a forged beginning', ['6.6.6.6, 198.51.100.7'], '198.51.100.7'],
  ['a chain of our own proxies', ['6.6.6.6, 198.51.100.7, 10.1.2.3'], '198.51.100.7'],
  ['several fields', ['6.6.6.6', '198.51.100.7', '10.1.2.3'], '198.51.100.7'],
  ['only our own proxies', ['10.9.9.9, 10.1.2.3'], '10.9.9.9'],
  ['a port', ['198.51.100.7:4711'], '198.51.100.7'],
  ['IPv6', ['2001:db8::7'], '2001:db8::7'],
  ['IPv6 in brackets with a port', ['[2001:db8::7]:4711'], '2001:db8::7'],
  ['IPv4 inside IPv6', ['::ffff:198.51.100.7'], '198.51.100.7'],
  ['no address', ['unknown'], '10.0.0.1'],
  ['no address before one of our proxies', ['198.51.100.7, unknown, 10.1.2.3'], '10.1.2.3'],
  ['nothing', [], '10.0.0.1'],
])('a trusted proxy names its visitor: %s', (_name, values, expected) => {
  expect(proxies.visitorOf(peer('10.0.0.1'), forwardedFor(...values)).address).toBe(expected);
});

test('fields of a client that is no trusted proxy do not count', () => {
  const fields = [
    ...forwardedFor('127.0.0.1'),
    { name: 'X-Forwarded-Proto', key: 'x-forwarded-proto', value: 'https' },
  ];
  const untrusted = peer('203.0.113.5');
  expect(proxies.visitorOf(untrusted, fields)).toBe(untrusted);
  expect(new TrustedProxies([]).visitorOf(peer('10.0.0.1'), fields).address).toBe('10.0.0.1');
});

test.each([
  ['https', 'https'],
  ['http, HTTPS', 'https'],
  ['ftp', 'http'],
])('a trusted proxy states the scheme: %s', (value, expected) => {
  const fields = [{ name: 'X-Forwarded-Proto', key: 'x-forwarded-proto', value }];
  expect(proxies.visitorOf(peer('192.0.2.1'), fields).scheme).toBe(expected);
});

async function startHome(trustedProxies: string[]) {
  const relay = await startTestRelay({}, undefined, { trustedProxies });
  const lan = await startLanService((request, response) =>
    response.end(`${String(request.headers['x-forwarded-for'])} ${String(request.headers['x-forwarded-proto'])};`),
  );
  const key = createAgentKey();
  await relay.connectDevice(testDevice(key, { 'nas.localhost': lan.port }), key);
  return {
    relay: relay.relay,
    async [Symbol.asyncDispose]() {
      await lan[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
    },
  };
}

const ask = (visitor: string) =>
  `GET / HTTP/1.1\r\nHost: nas.localhost\r\nX-Forwarded-For: ${visitor}\r\nX-Forwarded-Proto: https\r\n\r\n`;

test('each request of one proxy connection has its own visitor', async () => {
  await using home = await startHome(['127.0.0.1']);
  await using proxy = openRawClient(home.relay.httpPort);

  proxy.send(ask('198.51.100.1') + ask('198.51.100.2') + 'GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n');

  const text = await proxy.until(/127\.0\.0\.1 http;/);
  expect(text.match(/[\d.]+ https?;/g)).toEqual(['198.51.100.1 https;', '198.51.100.2 https;', '127.0.0.1 http;']);
});

test('over HTTP/2 as well', async () => {
  await using home = await startHome(['127.0.0.1']);
  await using proxy = new Http2Client(home.relay.tlsPort, 'nas.localhost');

  const { body } = await proxy.fetch({ ':path': '/', 'x-forwarded-for': '198.51.100.9' });

  expect(String(body)).toBe('198.51.100.9 https;');
});

test('without trusted proxies only the connection’s address counts', async () => {
  await using home = await startHome([]);
  await using visitor = openRawClient(home.relay.httpPort);

  visitor.send(ask('198.51.100.1'));

  expect(await visitor.until(/https?;/)).toContain('127.0.0.1 http;');
});
