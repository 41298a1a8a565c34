import fc from 'fast-check';
import { BlockList, isIP } from 'node:net';
import { expect, test } from 'vitest';
import { AddressSet, formatRange, parseRange } from './address-range.ts';
import { parseAddress } from './ip-address.ts';
import { must } from './must.ts';
import { anyAddress } from './testing/addresses.ts';

function setOf(entries: readonly string[]): AddressSet {
  return new AddressSet(entries.map((entry) => must(parseRange(entry), `the range ${entry}`)));
}

test.each([
  ['203.0.113.7/24', '203.0.113.0/24'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['2001:DB8:1:2:3::/64', '2001:db8:1:2::/64'],
  ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ['::192.0.2.1/104', '::c000:0/104'],
  ['::ffff:203.0.113.7/80', '::/80'],
])('%s is the range %s', (entry, range) => {
  expect(formatRange(must(parseRange(entry), entry))).toBe(range);
});

test.each([
  '',
  'nas',
  '192.0.2.0/33',
  '192.0.2.0/',
  '192.0.2.0/24/1',
  '192.0.2.0/024',
  '::1/129',
  'fe80::1%eth0',
  '/8',
])('%j is no range', (entry) => expect(parseRange(entry)).toBeUndefined());

test('a set holds the IPv4 addresses of a range of IPv6 that all of them lie in, and no other', () => {
  expect(setOf(['::/1']).has('192.0.2.7')).toBe(true);
  expect(setOf(['::/97']).has('192.0.2.7')).toBe(false);
  expect(setOf(['0.0.0.0/0']).has('2001:db8::1')).toBe(false);
  expect(setOf(['0.0.0.0/0', '::/0']).has('nas')).toBe(false);
});

test('a set holds the addresses that a BlockList of Node does', () => {
  const entry = fc.tuple(anyAddress, fc.integer({ min: 0, max: 128 }), fc.integer({ min: 0, max: 127 }));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), fc.array(anyAddress, { maxLength: 4 }), (entries, others) => {
      const list = new BlockList();
      const ranges = entries.map(([address, bits]) => {
        const range = isIP(address) === 4 ? bits % 33 : bits;
        list.addSubnet(address, range, isIP(address) === 4 ? 'ipv4' : 'ipv6');
        return `${address}/${range}`;
      });
      const set = setOf(ranges);
      const near = entries.map(([address, , bit]) => withBitChanged(address, bit));
      for (const address of [...entries.map(([own]) => own), ...near, ...others])
        expect(set.has(address)).toBe(list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6'));
    }),
    { numRuns: 2000 },
  );
});

/** The address with one bit changed, so that it lies in some of the ranges but not in all. */
function withBitChanged(text: string, bit: number): string {
  const address = must(parseAddress(text), 'a generated address');
  const bytes = address.toByteArray();
  const at = bit % (bytes.length * 8);
  const changed = bytes.map((byte, index) => (index === at >> 3 ? byte ^ (0x80 >> (at & 7)) : byte));
  return changed.length === 4
    ? changed.join('.')
    : Array.from({ length: 8 }, (_, group) => ((changed[2 * group]! << 8) | changed[2 * group + 1]!).toString(16)).join(
        ':',
      );
}
