import { expect, test } from 'vitest';
import { canonicalAddress, limitGroupOf, limitSiteOf } from './network-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:0DB8:0000::0001', '2001:db8::1'],
  ['fe80::1%br-lan.10', 'fe80::1'],
  ['no address', 'no address'],
])('the one spelling of %s is %s', (address, canonical) => {
  expect(canonicalAddress(address)).toBe(canonical);
});

test('addresses of one IPv6 network count as one, however they are written', () => {
  for (const address of [
    '2001:db8:0:1::1',
    '2001:db8:0:1:ffff:ffff:ffff:ffff',
    '2001:0DB8:0000:0001::2',
    '2001:db8:0:1::',
    '2001:db8:0:1::1%br-lan.10',
  ]) {
    expect(limitGroupOf(address)).toBe('2001:db8:0:1::');
  }
  for (const address of ['2001:db8:0:2::1', '2001:db8::1', '::1', 'fe80::1'])
    expect(limitGroupOf(address)).not.toBe('2001:db8:0:1::');
});

test('every IPv4 address counts for itself, also in its IPv6 form', () => {
  expect(limitGroupOf('192.0.2.1')).toBe('192.0.2.1');
  expect(limitGroupOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(limitGroupOf('::ffff:c000:202')).toBe('192.0.2.2');
});

test('a site of IPv6 is a /48; IPv4 has none', () => {
  expect(limitSiteOf('2001:db8:1:2::3')).toBe('2001:db8:1::');
  expect(limitSiteOf('192.0.2.1')).toBeUndefined();
  expect(limitSiteOf('::ffff:192.0.2.1')).toBeUndefined();
});
