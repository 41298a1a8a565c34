import { expect, test } from 'vitest';
import { bytesText, countText } from './amounts.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [1536, '1.5 KB'],
  [102_348, '99.9 KB'],
  [102_349, '100 KB'],
  [1_048_576, '1.0 MB'],
  [1_246_913_568, '1.2 GB'],
  [Number.MAX_SAFE_INTEGER, '8.0 PB'],
])('%d bytes are written as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test('large counts are written in 万', () => {
  expect([0, 9999, 10_000, 123_456, 123_456_789].map(countText)).toEqual(['0', '9999', '1万', '12.3万', '1.2亿']);
});
