import { errorCatalogue } from '@tongtu/contract';
import fc from 'fast-check';
import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { readAllowList } from './read-allow-list.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['203.0.113.7/24', '203.0.113.0/24'],
  ['10.255.255.255/9', '10.128.0.0/9'],
  ['2001:DB8:0:0::0:1', '2001:db8::1'],
  ['2001:db8::1/128', '2001:db8::1'],
  ['2001:db8:1:2:3::/64', '2001:db8:1:2::/64'],
  ['::1', '::1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ['::192.0.2.1/104', '::c000:0/104'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['2001::/16', '2001::/16'],
  ['fd12::/7', 'fc00::/7'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['::/97', '::/97'],
  ['::2:0:0/95', '::2:0:0/95'],
  ['0:0:0:1::/64', '0:0:0:1::/64'],
])('%s becomes %s', (entry, kept) => expect(readAllowList([entry])).toEqual([kept]));

test('equal ranges are kept once, in their order', () => {
  const entries = ['203.0.113.9/24', '::1', '203.0.113.0/24', '0:0::1', '10.0.0.1', '::ffff:10.0.0.1'];
  expect(readAllowList(entries)).toEqual(['203.0.113.0/24', '::1', '10.0.0.1']);
  expect(readAllowList([])).toEqual([]);
});

test.each([
  ...['', ' ', 'nas', 'nas.local', '203.0.113', '203.0.113.256', '203.0.113.7.', '1', '0x7f.0.0.1', '010.0.0.1'],
  ...['203.0.113.7/33', '203.0.113.7/', '203.0.113.7/-1', '203.0.113.7/024', '203.0.113.7/24/8', '203.0.113.*'],
  ...['203.0.113.0/255.255.255.0', '203.0.113.1-9', '::1/129', ':::1', 'fe80::1%eth0', '[::1]', '203.0.113.7:80'],
  ...['１.2.3.4', '1.2.3.4\u0000', `${'0:'.repeat(40)}1`],
])('%j is not an address', (entry) => {
  const code = 'device.allow-list-invalid';
  expect(() => readAllowList([entry])).toThrow(
    expect.objectContaining({ code, fields: { 'allow_list.0': [errorCatalogue[code]] } }),
  );
});

test.each([
  ...['0.0.0.0/0', '::/0', '203.0.113.7/0', '2001:db8::/0', '::ffff:0:0/96'],
  // These contain all of IPv4.
  ...['::/1', '::/80', '::/16', '::ffff:0:0/95', '::ffff:203.0.113.7/81', '::1/64', '7fff::/1'],
  // Two of these cover the whole internet.
  ...['0.0.0.0/1', '128.0.0.0/1', '203.0.113.7/7', '8000::/1', '2000::/3', '2001::/15', 'fc00::/6', '::ffff:0:0/97'],
])('%s is refused because it would let everybody in', (entry) => {
  const code = 'device.allow-list-everyone';
  expect(() => readAllowList([entry])).toThrow(
    expect.objectContaining({ code, fields: { 'allow_list.0': [errorCatalogue[code]] } }),
  );
});

test('every invalid entry is named', () => {
  const attempt = (): string[] => readAllowList(['203.0.113.7', 'x', '::/0', '10.0.0.0/8', '1.2.3']);
  expect(attempt).toThrow(
    expect.objectContaining({
      code: 'device.allow-list-invalid',
      fields: {
        'allow_list.1': [errorCatalogue['device.allow-list-invalid']],
        'allow_list.2': [errorCatalogue['device.allow-list-everyone']],
        'allow_list.4': [errorCatalogue['device.allow-list-invalid']],
      },
    }),
  );
});

test('a canonical range contains the same addresses as the typed one, and is itself canonical', () => {
  const range = fc.oneof(
    fc.tuple(fc.ipV4(), fc.integer({ min: 8, max: 32 }), fc.constant('ipv4' as const)),
    fc.tuple(fc.ipV6(), fc.integer({ min: 16, max: 128 }), fc.constant('ipv6' as const)),
  );
  fc.assert(
    fc.property(range, ([address, bits, family]) => {
      const typed = new BlockList();
      typed.addSubnet(address, bits, family);
      fc.pre(family === 'ipv4' || bits > 96 || !typed.check('::ffff:0:0', 'ipv6'));
      const [kept = ''] = readAllowList([`${address}/${bits}`]);
      const [network = '', keptBits] = kept.split('/');
      const list = new BlockList();
      const keptFamily = network.includes(':') ? 'ipv6' : 'ipv4';
      list.addSubnet(network, Number(keptBits ?? (keptFamily === 'ipv4' ? 32 : 128)), keptFamily);
      expect(list.check(address, family)).toBe(true);
      expect(readAllowList([kept])).toEqual([kept]);
    }),
  );
});
