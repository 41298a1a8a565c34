import { expect, test } from 'vitest';
import { LongHeads } from './long-heads.ts';

test('a visitor whose head was too long for HTTP/2 is remembered for a minute, with its network', () => {
  let monotonicMs = 0;
  const longHeads = new LongHeads(() => monotonicMs);
  longHeads.note('2001:db8::1');
  expect(longHeads.has('2001:db8::2')).toBe(true);
  expect(longHeads.has('192.0.2.1')).toBe(false);
  monotonicMs = 59_999;
  expect(longHeads.has('2001:db8::1')).toBe(true);
  monotonicMs = 60_000;
  expect(longHeads.has('2001:db8::1')).toBe(false);
});

test('only the most recent visitors are remembered', () => {
  const longHeads = new LongHeads(() => 0);
  const address = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  for (let index = 0; index < 10_001; index++) longHeads.note(address(index));
  expect([0, 1, 10_000].map((index) => longHeads.has(address(index)))).toEqual([false, true, true]);
});
