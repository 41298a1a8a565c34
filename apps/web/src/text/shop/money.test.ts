import { expect, test } from 'vitest';
import { daysText, priceTexts, rateText, yuanText } from './money.ts';

test.each([
  [0, '¥0'],
  [1, '¥0.01'],
  [2600, '¥26'],
  [2610, '¥26.10'],
  [100_000_000, '¥1,000,000'],
])('%d 分 are %s', (fen, text) => {
  expect(yuanText(fen)).toBe(text);
});

test('a price is also shown by year and month, where these are shorter', () => {
  expect(priceTexts({ price_fen: 2600, days: 365 })).toEqual({ whole: '¥26 / 1 年', parts: '约合每月 ¥2.14' });
  expect(priceTexts({ price_fen: 15_000, days: 730 })).toEqual({
    whole: '¥150 / 2 年',
    parts: '约合每年 ¥75，每月 ¥6.16',
  });
  expect(priceTexts({ price_fen: 990, days: 30 })).toEqual({ whole: '¥9.90 / 30 天', parts: '' });
  expect(priceTexts({ price_fen: 0, days: 7 })).toEqual({ whole: '免费', parts: '7 天有效' });
});

test('times and rates', () => {
  expect([daysText(365), daysText(730), daysText(400)]).toEqual(['1 年', '2 年', '400 天']);
  expect([4_000_000, 1_500_000, 64_000, 10_000_000_000].map(rateText)).toEqual([
    '4 Mbit/s',
    '1.5 Mbit/s',
    '64 kbit/s',
    '10 Gbit/s',
  ]);
});
