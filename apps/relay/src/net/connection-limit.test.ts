import { expect, test } from 'vitest';
import { VisitorShares } from '../upstream/visitor-shares.ts';
import { VisitorBusyError } from '../upstream/upstream-stream.ts';
import { ConnectionLimit } from './connection-limit.ts';

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
