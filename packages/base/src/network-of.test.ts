import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalAddress } from './ip-address.ts';
import { networkOf, siteOf, surroundingsOf } from './network-of.ts';
import { anyAddress } from './testing/addresses.ts';

test('addresses of one IPv6 network count as one, however they are written', () => {
  // Databases store this spelling.
  const network = '2001:db8:0:1::';
  for (const address of [
    '2001:db8:0:1::1',
    '2001:db8:0:1:ffff:ffff:ffff:ffff',
    '2001:0DB8:0000:0001::2',
    '2001:db8:0:1::',
    '2001:db8:0:1::1%br-lan.10',
  ]) {
    expect(networkOf(address)).toBe(network);
  }
  for (const address of ['2001:db8:0:2::1', '2001:db8::1', '::1', 'fe80::1'])
    expect(networkOf(address)).not.toBe(network);
});

test('every IPv4 address is a network of its own, also in its IPv6 form', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::ffff:c000:202')).toBe('192.0.2.2');
});

test('a site is the /48 of an IPv6 address, and no IPv4 address has one', () => {
  expect(siteOf('2001:db8:0:1::1')).toBe('2001:db8::');
  expect(siteOf('2001:db8:1:ffff::1')).toBe('2001:db8:1::');
  expect(siteOf('192.0.2.1')).toBeUndefined();
  expect(siteOf('::ffff:192.0.2.1')).toBeUndefined();
});

test('a network does not depend on the spelling, and is the network of itself', () => {
  fc.assert(
    fc.property(anyAddress, (address) => {
      expect(networkOf(canonicalAddress(address))).toBe(networkOf(address));
      expect(networkOf(networkOf(address))).toBe(networkOf(address));
    }),
  );
});

test('the surroundings of an address are its /24, or its /64', () => {
  expect(surroundingsOf('203.0.113.7')).toBe('203.0.113.0');
  expect(surroundingsOf('::ffff:203.0.113.99')).toBe('203.0.113.0');
  expect(surroundingsOf('2001:db8:1:2:3::4')).toBe(surroundingsOf('2001:db8:1:2::'));
  expect(surroundingsOf('2001:db8:1:3::4')).not.toBe(surroundingsOf('2001:db8:1:2::'));
});
