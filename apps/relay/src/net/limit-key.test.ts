import { expect, test } from 'vitest';
import { VisitorShares } from '../upstream/visitor-shares.ts';
import { VisitorBusyError } from '../upstream/upstream-stream.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { limitKeyOf } from './limit-key.ts';

test('addresses of one IPv6 network count as one, however they are written', () => {
  const key = limitKeyOf('2001:db8:0:1::1');
  for (const address of [
    '2001:db8:0:1:ffff:ffff:ffff:ffff',
    '2001:0DB8:0000:0001::2',
    '2001:db8:0:1::',
    '2001:db8:0:1::1%br-lan.10',
  ]) {
    expect(limitKeyOf(address)).toBe(key);
  }
  for (const address of ['2001:db8:0:2::1', '2001:db8::1', '::1', 'fe80::1']) expect(limitKeyOf(address)).not.toBe(key);
});

test('every IPv4 address counts for itself, also in its IPv6 form', () => {
  expect(limitKeyOf('192.0.2.1')).toBe('192.0.2.1');
  expect(limitKeyOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(limitKeyOf('::ffff:c000:202')).toBe('192.0.2.2');
});

test('a limit of connections cannot be had again by another address of the same network', () => {
  const limit = new ConnectionLimit({ perAddress: 2, total: Infinity });
  const release = limit.enter('2001:db8::1');
  expect(limit.enter('2001:db8::2')).toBeDefined();
  expect(limit.hasRoomFor('2001:db8::3')).toBe(false);
  expect(limit.enter('2001:db8::3')).toBeUndefined();
  expect(limit.enter('2001:db8:0:1::1')).toBeDefined();
  release?.();
  expect(limit.hasRoomFor('2001:db8::3')).toBe(true);
});

test('neither can a share of streams', () => {
  const shares = new VisitorShares(1);
  shares.enter('2001:db8::1');
  expect(() => shares.enter('2001:db8::2')).toThrow(VisitorBusyError);
  shares.leave('2001:db8::1');
  shares.enter('2001:db8::2');
});
