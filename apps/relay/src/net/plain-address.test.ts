import { expect, test } from 'vitest';
import { plainAddress } from './plain-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%br-lan.10', 'fe80::1'],
  ['::1', '::1'],
])('%s is told as %s', (address, told) => {
  expect(plainAddress(address)).toBe(told);
});
