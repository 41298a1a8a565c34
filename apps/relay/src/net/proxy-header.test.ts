import { expect, test } from 'vitest';
import { encodeProxyV2 } from './proxy-header.ts';

const signature = '0d0a0d0a000d0a515549540a';

test.each([
  ['IPv4', '203.0.113.7', '198.51.100.1', `${signature}2111000ccb007107c6336401d6824e20`],
  [
    'IPv4 in its IPv6 form',
    '::ffff:203.0.113.7',
    '::ffff:198.51.100.1',
    `${signature}2111000ccb007107c6336401d6824e20`,
  ],
  [
    'IPv6',
    '2001:db8::7',
    '2001:db8:ffff::1',
    `${signature}2121002420010db800000000000000000000000720010db8ffff00000000000000000001d6824e20`,
  ],
  [
    'IPv6 with a zone',
    'fe80::1%br-lan.10',
    'fe80::2%br-lan.10',
    `${signature}21210024fe800000000000000000000000000001fe800000000000000000000000000002d6824e20`,
  ],
  [
    'two families',
    '203.0.113.7',
    '2001:db8::1',
    `${signature}2121002400000000000000000000ffffcb00710720010db8000000000000000000000001d6824e20`,
  ],
])('the header of a connection over %s is what the specification says, byte by byte', (_, source, destination, hex) => {
  const header = encodeProxyV2({
    source: { address: source, port: 54_914 },
    destination: { address: destination, port: 20_000 },
  });
  expect(header.toString('hex')).toBe(hex);
});

test('for an invalid address there is no header', () => {
  const source = { address: 'visitor.example.com', port: 1 };
  expect(() => encodeProxyV2({ source, destination: { address: '127.0.0.1', port: 2 } })).toThrow();
});
