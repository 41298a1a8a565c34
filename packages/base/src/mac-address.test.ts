import { expect, test } from 'vitest';
import { readMacAddress } from './mac-address.ts';

test.each([
  'd8:bb:c1:0a:2f:e4',
  'D8-BB-C1-0A-2F-E4',
  'd8bb.c10a.2fe4',
  'D8BBC10A2FE4',
  'd8 bb c1 0a 2f e4',
  ' d8:bb:c1:0a:2f:e4\n',
  'ｄ８：ｂｂ：ｃ１：０ａ：２ｆ：ｅ４',
])('%j is read as one address', (text) => {
  expect(readMacAddress(text)).toBe('d8:bb:c1:0a:2f:e4');
});

test.each([
  ['', 'nothing'],
  ['d8:bb:c1:0a:2f', 'five octets'],
  ['d8:bb:c1:0a:2f:e4:00', 'seven octets'],
  ['d8:bb-c1:0a:2f:e4', 'two separators'],
  ['d8:bb:c1:0a:2f:eg', 'another letter'],
  ['d:8b:bc:10:a2:fe4', 'other groups'],
  ['00:00:00:00:00:00', 'zero'],
  ['ff:ff:ff:ff:ff:ff', 'broadcast'],
  ['01:00:5e:00:00:fb', 'multicast'],
  ['33:33:00:00:00:01', 'multicast of IPv6'],
])('%j is refused: %s', (text) => {
  expect(readMacAddress(text)).toBeUndefined();
});
