import { expect, test } from 'vitest';
import { FakeDnsServer } from '../../../testing/fake-dns-server.ts';
import { NameServers } from './name-servers.ts';

const NAME = '_acme-challenge.home.example.com';

test('an IPv6 address alone counts as an address', async () => {
  await using dns = await FakeDnsServer.start();
  dns.set('AAAA', 'six.example.com', ['2001:db8::1']);
  dns.set('TXT', 'text.example.com', ['no address']);
  const servers = new NameServers({
    resolvers: [`127.0.0.1:${dns.port}`],
    authoritativePort: undefined,
    mayAsk: 'any',
  });
  expect(await servers.mayHaveAddress('six.example.com')).toBe(true);
  expect(await servers.mayHaveAddress('text.example.com')).toBe(false);
  expect(await servers.mayHaveAddress('missing.example.com')).toBe(false);
});

test('when no resolver answers, a name may have an address', async () => {
  const dns = await FakeDnsServer.start();
  const { port } = dns;
  await dns[Symbol.asyncDispose]();
  const servers = new NameServers({ resolvers: [`127.0.0.1:${port}`], authoritativePort: undefined, mayAsk: 'any' });
  expect(await servers.mayHaveAddress('nas.example.com')).toBe(true);
  expect(await servers.allHaveTxt(NAME, ['one'])).toBe(false);
});

test('a record counts as propagated when every authoritative server has it', async () => {
  await using first = await FakeDnsServer.start('127.0.0.1');
  await using second = await FakeDnsServer.start('127.0.0.2', first.port);
  first.set('NS', 'example.com', ['ns1.example.net', 'ns2.example.net']);
  first.set('A', 'ns1.example.net', ['127.0.0.1']);
  first.set('A', 'ns2.example.net', ['127.0.0.2']);
  const servers = new NameServers({
    resolvers: [`127.0.0.1:${first.port}`],
    authoritativePort: first.port,
    mayAsk: 'any',
  });

  first.set('TXT', NAME, ['one', 'two']);
  expect(await servers.allHaveTxt(NAME, ['one', 'two'])).toBe(false);
  second.set('TXT', NAME, ['two']);
  expect(await servers.allHaveTxt(NAME, ['one', 'two'])).toBe(false);
  second.set('TXT', NAME, ['other', 'one', 'two']);
  expect(await servers.allHaveTxt(NAME, ['one', 'two'])).toBe(true);
  expect(second.queries).toContain(`TXT ${NAME}`);
});

test('an unreachable authoritative server is ignored', async () => {
  await using dns = await FakeDnsServer.start('127.0.0.1');
  dns.set('NS', 'example.com', ['ns1.example.net', 'ns2.example.net']);
  dns.set('A', 'ns1.example.net', ['127.0.0.1']);
  dns.set('A', 'ns2.example.net', ['127.0.0.3']);
  dns.set('TXT', NAME, ['one']);
  const servers = new NameServers({ resolvers: [`127.0.0.1:${dns.port}`], authoritativePort: dns.port, mayAsk: 'any' });
  expect(await servers.allHaveTxt(NAME, ['one'])).toBe(true);
});

test('when the authoritative servers cannot be found, the resolvers are asked', async () => {
  await using dns = await FakeDnsServer.start();
  dns.set('TXT', NAME, ['one']);
  const servers = new NameServers({ resolvers: [`127.0.0.1:${dns.port}`], authoritativePort: dns.port, mayAsk: 'any' });
  expect(await servers.allHaveTxt(NAME, ['one'])).toBe(true);
  expect(await servers.allHaveTxt(NAME, ['one', 'two'])).toBe(false);
});

/** A resolver that is the authoritative server of example.com too, at an address of this machine. */
async function openOwnZone() {
  const dns = await FakeDnsServer.start();
  dns.set('NS', 'example.com', ['ns1.example.net']);
  dns.set('A', 'ns1.example.net', ['127.0.0.1']);
  dns.set('A', 'nas.example.com', ['198.51.100.1']);
  return dns;
}

test("the servers of a user's zone are asked at public addresses only", async () => {
  await using dns = await openOwnZone();
  const options = { resolvers: [`127.0.0.1:${dns.port}`], authoritativePort: dns.port };
  const any = await new NameServers({ ...options, mayAsk: 'any' }).authoritativeRecordsOf('nas.example.com');
  expect(any).toEqual({ alias: undefined, addresses: ['198.51.100.1'] });

  dns.queries.length = 0;
  const none = await new NameServers({ ...options, mayAsk: 'public' }).authoritativeRecordsOf('nas.example.com');
  expect(none).toEqual({ alias: undefined, addresses: [] });
  expect(dns.queries).toContain('A ns1.example.net');
  expect(dns.queries).not.toContain('A nas.example.com');
});

test('a zone is looked for at a few labels only, and of its servers a few are resolved', async () => {
  await using dns = await openOwnZone();
  const names = Array.from({ length: 12 }, (_, index) => `ns${index + 1}.example.net`);
  dns.set('NS', 'example.com', names);
  const servers = new NameServers({
    resolvers: [`127.0.0.1:${dns.port}`],
    authoritativePort: dns.port,
    mayAsk: 'any',
  });
  const deep = `${'a.'.repeat(100)}example.com`;
  dns.set('A', deep, ['198.51.100.1']);
  expect(await servers.authoritativeRecordsOf(deep)).toMatchObject({ addresses: ['198.51.100.1'] });
  expect(dns.queries.filter((query) => query.startsWith('NS '))).toHaveLength(7);
  expect(dns.queries.filter((query) => query.startsWith('A ns'))).toHaveLength(4);
});
