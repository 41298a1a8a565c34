import { expect, test } from 'vitest';
import { limitOf, typedLimit } from './speed-limit.ts';

test.each([
  ['', 0],
  ['  ', 0],
  ['1.5', 1_572_864],
  ['500', 524_288_000],
  ['0', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['1,5', undefined],
  ['快', undefined],
  ['1234567890', undefined],
])('the typed limit %j is %s bytes', (amount, bytes) => {
  expect(limitOf({ amount, unit: 'MB' })).toBe(bytes);
});

test.each([
  [0, { amount: '', unit: 'MB' }],
  [102_400, { amount: '100', unit: 'KB' }],
  [1_572_864, { amount: '1.5', unit: 'MB' }],
  [2_000_000, { amount: '1953.13', unit: 'KB' }],
])('a limit of %s bytes is shown as somebody would type it', (bytes, typed) => {
  expect(typedLimit(bytes)).toEqual(typed);
});
