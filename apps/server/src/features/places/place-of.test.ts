import { expect, test } from 'vitest';
import { placeOf } from './place-of.ts';

test.each([
  ['113.92.1.1', '广东省深圳市'],
  ['::ffff:113.92.1.1', '广东省深圳市'],
  ['202.96.209.5', '上海市'],
  ['168.95.1.1', '台湾省'],
  ['8.8.8.8', '美国'],
  ['240e:1f:1::1', '广东省深圳市'],
])('%s is in %s', (ip, place) => {
  expect(placeOf(ip)).toBe(place);
});

test.each([
  ['127.0.0.1', '本机'],
  ['::1', '本机'],
  ['192.168.1.10', '局域网'],
  ['100.64.3.2', '局域网'],
  ['169.254.1.1', '局域网'],
  ['fd00::1', '局域网'],
  ['fe80::1', '局域网'],
])('%s belongs to this machine or a private network: %s', (ip, place) => {
  expect(placeOf(ip)).toBe(place);
});

test.each(['203.0.113.7', '0.0.0.0', '255.255.255.255', '2001:db8::1', 'ff02::1', '', 'not an address', '1.2.3'])(
  'the place of %j is unknown',
  (ip) => {
    expect(placeOf(ip)).toBe('');
  },
);
