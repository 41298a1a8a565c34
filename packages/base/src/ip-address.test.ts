import fc from 'fast-check';
import { isIP, SocketAddress } from 'node:net';
import { expect, test } from 'vitest';
import { canonicalAddress, parseAddress } from './ip-address.ts';
import { anyAddress, anyAlmostAddress } from './testing/addresses.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:202', '192.0.2.2'],
  ['0:0:0:0:0:FFFF:192.0.2.1', '192.0.2.1'],
  ['2001:0DB8:0:0:0::1', '2001:db8::1'],
  ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['fe80::1%br-lan.10', 'fe80::1'],
  ['::1', '::1'],
  ['0:0:0:0:0:0:0:0', '::'],
  ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  // RFC 4291 §2.5.5.1: IPv4-compatible, not IPv4-mapped.
  ['::192.0.2.1', '::c000:201'],
])('%s is spelled %s', (address, spelled) => {
  expect(canonicalAddress(address)).toBe(spelled);
});

test.each([
  ...[
    '',
    'nas',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.1.',
    '.192.0.2.1',
    '192.0.2.01',
    '0x7f.0.0.1',
    '127.1',
    '192.0.2.1.1',
  ],
  ...[':', ':::', ':1', '1:', '::1:', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1::2:3:4:5:6:7:8', '1::2::3', '12345::'],
  ...[
    '::192.0.2',
    '192.0.2.1::',
    '1:2:3:4:5:6:7:192.0.2.1',
    '::192.0.2.1:1',
    '::g',
    '[::1]',
    '192.0.2.1%eth0',
    '%eth0',
  ],
])('%j is no address, and stays as it is', (text) => {
  expect(parseAddress(text)).toBeUndefined();
  expect(canonicalAddress(text)).toBe(text);
});

test('what is an address, Node sees alike', () => {
  fc.assert(
    fc.property(fc.oneof(anyAddress, anyAlmostAddress), (text) => {
      expect(parseAddress(text) !== undefined).toBe(isIP(text) !== 0);
    }),
    { numRuns: 2000 },
  );
});

test('two texts have one spelling where Node takes them for one address', () => {
  const spelledByNode = (text: string) => {
    const family = isIP(text) === 6 ? 'ipv6' : 'ipv4';
    return new SocketAddress({ address: text, family }).address.replace(/^::ffff:(?=\d+\.)/, '');
  };
  fc.assert(
    fc.property(anyAddress, (text) => {
      const spelled = canonicalAddress(text);
      expect(canonicalAddress(spelled)).toBe(spelled);
      expect(spelledByNode(spelled)).toBe(spelledByNode(text));
      expect(canonicalAddress(spelledByNode(text))).toBe(spelled);
    }),
    { numRuns: 2000 },
  );
});
