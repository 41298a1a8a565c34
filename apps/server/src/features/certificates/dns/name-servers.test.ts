import { expect, test } from 'vitest';
import { DnsStandIn } from '../../../testing/dns-stand-in.ts';
import { NameServers } from './name-servers.ts';

const NAME = '_acme-challenge.home.example.com';

test('a name without any address has none; one with an IPv6 address alone has one', async () => {
  await using dns = await DnsStandIn.start();
  dns.set('AAAA', 'six.example.com', ['2001:db8::1']);
  dns.set('TXT', 'text.example.com', ['no address']);
  const servers = new NameServers({ resolvers: [`127.0.0.1:${dns.port}`], holderPort: undefined });
  expect(await servers.mayHaveAddress('six.example.com')).toBe(true);
  expect(await servers.mayHaveAddress('text.example.com')).toBe(false);
  expect(await servers.mayHaveAddress('missing.example.com')).toBe(false);
});

test('a resolver that does not answer proves nothing about a name', async () => {
  const dns = await DnsStandIn.start();
  const { port } = dns;
  await dns[Symbol.asyncDispose]();
  const servers = new NameServers({ resolvers: [`127.0.0.1:${port}`], holderPort: undefined });
  expect(await servers.mayHaveAddress('nas.example.com')).toBe(true);
  expect(await servers.haveTxt(NAME, ['one'])).toBe(false);
});

test('a record counts when every server of its zone has it', async () => {
  await using first = await DnsStandIn.start('127.0.0.1');
  await using second = await DnsStandIn.start('127.0.0.2', first.port);
  first.set('NS', 'example.com', ['ns1.example.net', 'ns2.example.net']);
  first.set('A', 'ns1.example.net', ['127.0.0.1']);
  first.set('A', 'ns2.example.net', ['127.0.0.2']);
  const servers = new NameServers({ resolvers: [`127.0.0.1:${first.port}`], holderPort: first.port });

  first.set('TXT', NAME, ['one', 'two']);
  expect(await servers.haveTxt(NAME, ['one', 'two'])).toBe(false);
  second.set('TXT', NAME, ['two']);
  expect(await servers.haveTxt(NAME, ['one', 'two'])).toBe(false);
  second.set('TXT', NAME, ['other', 'one', 'two']);
  expect(await servers.haveTxt(NAME, ['one', 'two'])).toBe(true);
  expect(second.asked).toContain(`TXT ${NAME}`);
});

test('a server of the zone that is away does not hold up the others', async () => {
  await using dns = await DnsStandIn.start('127.0.0.1');
  dns.set('NS', 'example.com', ['ns1.example.net', 'ns2.example.net']);
  dns.set('A', 'ns1.example.net', ['127.0.0.1']);
  dns.set('A', 'ns2.example.net', ['127.0.0.3']);
  dns.set('TXT', NAME, ['one']);
  const servers = new NameServers({ resolvers: [`127.0.0.1:${dns.port}`], holderPort: dns.port });
  expect(await servers.haveTxt(NAME, ['one'])).toBe(true);
});

test('where the servers of the zone cannot be found, the resolvers are believed', async () => {
  await using dns = await DnsStandIn.start();
  dns.set('TXT', NAME, ['one']);
  const servers = new NameServers({ resolvers: [`127.0.0.1:${dns.port}`], holderPort: dns.port });
  expect(await servers.haveTxt(NAME, ['one'])).toBe(true);
  expect(await servers.haveTxt(NAME, ['one', 'two'])).toBe(false);
});
