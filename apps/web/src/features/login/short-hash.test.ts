import { expect, test } from 'vitest';
import { shortHash } from './short-hash.ts';

test('similar numbers have different hashes', () => {
  const numbers = Array.from({ length: 100 }, (_each, index) => `+86138000000${String(index).padStart(2, '0')}`);
  expect(new Set(numbers.map(shortHash)).size).toBe(100);
});

test('so many numbers share a hash that it reveals none', () => {
  const marks = new Set(Array.from({ length: 200_000 }, (_each, index) => shortHash(`+86138${10_000_000 + index}`)));
  expect(marks.size).toBeLessThanOrEqual(65_521);
});
