import { expect, test } from 'vitest';
import { FakeDnsServer } from '../../../testing/fake-dns-server.ts';
import { NameServers } from './name-servers.ts';

const NAME = '_acme-challenge.home.example.com';

test('an IPv6 address alone counts as an address', async () => {
  await using dns = await FakeDnsServer.start();
  dns.set('AAAA', 'six.example.com', ['2001:db8::1']);
  dns.set('TXT', 'text.example.com', ['no address']);
  const servers = new NameServers({ resolvers: [`127.0.0.1:${dns.port}`], authoritativePort: undefined });
  expect(await servers.mayHaveAddress('six.example.com')).toBe(true);
  expect(await servers.mayHaveAddress('text.example.com')).toBe(false);
  expect(await servers.mayHaveAddress('missing.example.com')).toBe(false);
});

test('when no resolver answers, a name may have an address', async () => {
  const dns = await FakeDnsServer.start();
  const { port } = dns;
  await dns[Symbol.asyncDispose]();
  const servers = new NameServers({ resolvers: [`127.0.0.1:${port}`], authoritativePort: undefined });
  expect(await servers.mayHaveAddress('nas.example.com')).toBe(true);
  expect(await servers.allHaveTxt(NAME, ['one'])).toBe(false);
});

test('a record counts as propagated when every authoritative server has it', async () => {
  await using first = await FakeDnsServer.start('127.0.0.1');
  await using second = await FakeDnsServer.start('127.0.0.2', first.port);
  first.set('NS', 'example.com', ['ns1.example.net', 'ns2.example.net']);
  first.set('A', 'ns1.example.net', ['127.0.0.1']);
  first.set('A', 'ns2.example.net', ['127.0.0.2']);
  const servers = new NameServers({ resolvers: [`127.0.0.1:${first.port}`], authoritativePort: first.port });

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
  const servers = new NameServers({ resolvers: [`127.0.0.1:${dns.port}`], authoritativePort: dns.port });
  expect(await servers.allHaveTxt(NAME, ['one'])).toBe(true);
});

test('when the authoritative servers cannot be found, the resolvers are asked', async () => {
  await using dns = await FakeDnsServer.start();
  dns.set('TXT', NAME, ['one']);
  const servers = new NameServers({ resolvers: [`127.0.0.1:${dns.port}`], authoritativePort: dns.port });
  expect(await servers.allHaveTxt(NAME, ['one'])).toBe(true);
  expect(await servers.allHaveTxt(NAME, ['one', 'two'])).toBe(false);
});
